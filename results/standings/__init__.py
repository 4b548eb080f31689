"""Standings, ratings and matches: pure functions of stored games. May import the room store."""
