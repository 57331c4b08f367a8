"""Stage 1: where games come from, and how they get onto this machine. Writes `Home`."""
