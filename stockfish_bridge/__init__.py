"""UCI engines as players, Stockfish above all: chess, and microchess with two back-ends.

`uci_syntax` holds the text of UCI; the UCI server in `arena.engine` uses it too. Imports `games`, `agents.external` and
`agents.seat` only.
"""
