"""Games in the notations of others: PGN, SGF, Othello transcripts, mushroom logs, CSV, JSON, Parquet."""
