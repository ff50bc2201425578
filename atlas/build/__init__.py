"""Draws the boards that are committed under `atlas/boards`. Nothing here is needed to run a server.

`python -m atlas.build` makes the standard board from Natural Earth's coasts; it needs the packages
of `atlas/build/requirements.txt`. See docs/atlas.md.
"""
