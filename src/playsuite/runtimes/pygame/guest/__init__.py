"""What runs inside the sandbox, in the game's own interpreter: the standard library and pygame, nothing else.

`boot` installs every hook before the game is imported. The parts, from the bottom up: `timeline` (virtual time),
`threads` and `pace` (when it moves), `channel` and `conductor` (the host's orders), then one module for each piece of
pygame or of the standard library that would otherwise see the real world.
"""
