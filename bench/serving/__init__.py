"""What asking a model costs, and how near workers come to what its server can do; `python -m bench.serving --help`."""
