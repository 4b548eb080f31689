"""One game: the referee, its clock, and the players that sit at the board.

May import the rooms entrants, sandbox and process.
"""
