"""Suites that come with PlaySuite: rows of data, no code but the functions that find them."""
