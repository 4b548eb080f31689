"""HTML pages of games and leagues, each a single file. May import the rooms standings and notation."""
