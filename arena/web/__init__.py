"""The site of `arena serve`: leagues, running games, replays and agents in a browser; agents are handed in.

May import all rooms but `cli`. Starlette, uvicorn and sse-starlette are in the extra `web` and imported only here.
"""
