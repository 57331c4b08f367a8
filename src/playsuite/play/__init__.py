"""Stage 3: suite and spec to episodes. Reads installed games, writes `runs/NAME/episodes/` and `results/`."""
