"""Our agents as engines for other programs: servers for UCI, GTP, Gomocup, NBoard and NYPC.

`session` asks one agent for moves, `server` reads and writes lines, and each protocol has its own module. May import
all rooms except `cli` and `studies`; the text of the protocols is in `agents.external` and `stockfish_bridge`.
"""
