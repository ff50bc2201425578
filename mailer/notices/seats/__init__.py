"""Notices about powers that have no player, or another one."""
