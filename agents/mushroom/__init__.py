"""Players of Mushroom."""
