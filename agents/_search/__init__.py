"""The native search core and its Python twin: alpha-beta and UCT over positions of any game."""
