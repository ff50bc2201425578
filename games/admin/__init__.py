"""The operators' desk. Whatever changes a game calls a service; history is read-only."""

from games.admin.event import EventAdmin
from games.admin.game import GameAdmin
from games.admin.phase import OrderSetAdmin, PhaseAdmin
from games.admin.player import PlayerAdmin

__all__ = ["EventAdmin", "GameAdmin", "OrderSetAdmin", "PhaseAdmin", "PlayerAdmin"]
