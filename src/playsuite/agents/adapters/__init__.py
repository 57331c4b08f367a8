"""One adapter for each family of models: the words it is asked in, and how its answers are read."""
