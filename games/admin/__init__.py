"""The operators' desk. Whatever changes a game calls a service; history is read-only."""

from django.contrib import admin

from games.admin.event import EventAdmin
from games.admin.game import GameAdmin
from games.admin.phase import OrderSetAdmin, PhaseAdmin
from games.admin.player import PlayerAdmin

__all__ = ["EventAdmin", "GameAdmin", "OrderSetAdmin", "PhaseAdmin", "PlayerAdmin"]

admin.site.site_header = "Diplomacy by mail"
admin.site.site_title = "Diplomacy by mail"
admin.site.index_title = "The operators' desk"
