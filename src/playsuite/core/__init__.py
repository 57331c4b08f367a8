"""The vocabulary every other part speaks: records, actions, protocols, errors, the store."""
