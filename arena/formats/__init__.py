"""Who meets whom: each format is a pure function that yields pairings. Imports no other room."""
