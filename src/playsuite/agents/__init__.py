"""How something plays: baselines, scripts, and models with their prompts and parsers."""
