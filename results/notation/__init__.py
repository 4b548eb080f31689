"""Games in other notations: PGN, SGF, Othello transcripts, Mushroom logs, CSV, JSON, Parquet; replaying records.

May import the rooms `standings` and `store`.
"""
