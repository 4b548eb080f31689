"""The site of `arena serve`: leagues, running games, replays and agents in a browser; it only reads.

May import all rooms but `cli`. Starlette, uvicorn and sse-starlette are in the extra `web` and imported only here.
"""
