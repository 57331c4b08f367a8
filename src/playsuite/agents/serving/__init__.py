"""Serve a model here: vLLM's own server on a Unix socket, kept alive, and gone when we are."""
