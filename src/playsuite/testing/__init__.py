"""Conformance checks for whoever writes a plug-in."""
