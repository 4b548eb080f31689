"""The results file: tables, migrations, reading and writing. May import nothing of the other rooms of results."""
