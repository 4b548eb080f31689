"""The other direction: our agents as engines for the programs of others."""
