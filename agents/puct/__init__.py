"""PUCT: a tree search that follows priors and values, for all games; readable in Python, fast over the kernels."""
