"""Frames to video and back, always in game time."""
