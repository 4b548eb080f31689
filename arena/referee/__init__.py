"""One game: the referee, its clock, and the players of agents, engines and people.

May import the rooms entrants, sandbox and process.
"""
