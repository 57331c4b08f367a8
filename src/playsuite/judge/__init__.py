"""Stage 4: episodes to verdicts. Reads `episodes/`, writes `verdicts/JUDGE/`."""
