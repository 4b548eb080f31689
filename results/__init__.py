"""What was played: the store, standings, exports."""
