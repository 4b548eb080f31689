"""Line protocols for engines in any language: GTP, Gomocup, NBoard, NYPC (Mushroom) and JSON lines.

Each protocol has a module that plays against an engine (`gtp`, `gomocup`, `nboard`, `nypc`, `json_lines`). The modules
`gtp_syntax`, `gomocup_syntax`, `nboard_syntax` and `nypc_syntax` hold the text of a protocol; the servers in
`arena.engine` use them too. UCI is in `stockfish_bridge`. Imports `games` and `agents.seat` only.
"""
