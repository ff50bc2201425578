"""The pages for GMs, moderators and operators. Whatever changes a game calls a service; history is
read-only."""

from django.contrib import admin

from games.admin.event import EventAdmin
from games.admin.game import GameAdmin
from games.admin.observer import ObserverAdmin
from games.admin.phase import OrderSetAdmin, PhaseAdmin
from games.admin.player import PlayerAdmin
from games.admin.press import PressAdmin
from games.admin.staff_log import StaffEntryAdmin

__all__ = [
    "EventAdmin",
    "GameAdmin",
    "ObserverAdmin",
    "OrderSetAdmin",
    "PhaseAdmin",
    "PlayerAdmin",
    "PressAdmin",
    "StaffEntryAdmin",
]

admin.site.site_header = "Diplomacy by mail"
admin.site.site_title = "Diplomacy by mail"
admin.site.index_title = "What needs you"
