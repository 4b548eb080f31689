"""A player of Gomoku that thinks in threats."""
