"""PlaySuite puts any vision model in front of real video games and finds out how well it acts."""

__version__ = "0.1.0"
