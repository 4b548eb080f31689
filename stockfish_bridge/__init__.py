"""Stockfish as a player."""
