"""The results file: tables, migrations, reading and writing.

Imports none of the other rooms of results.
"""
