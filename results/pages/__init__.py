"""HTML pages of games and leagues; each page is a single file that loads nothing.

May import the rooms `notation`, `standings` and `store`.
"""
