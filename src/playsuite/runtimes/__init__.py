"""How a game runs and stands still: one module (or folder) per runtime, each a function `launch`."""
