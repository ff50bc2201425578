"""The rows: who plays, what stands, when it is due, what happened."""

from games.models.absence import Absence
from games.models.advance_orders import AdvanceOrders
from games.models.attendance import Attendance
from games.models.care import Care
from games.models.conduct import Conduct
from games.models.diary import DiaryEntry
from games.models.event import Event
from games.models.failing import FailingUser
from games.models.game import Application, Game, Power, Seat
from games.models.halt import Halt
from games.models.invitation import CoGM, Invitation
from games.models.observer import Observer
from games.models.phase import UNFINISHED, OrderSet, Phase, Readiness
from games.models.player import Address, Player
from games.models.press import Press
from games.models.privacy import BarredAddress, DataRequest
from games.models.staff_log import StaffEntry
from games.models.standby import Offer, Standby
from games.models.vote import Ballot, Proposal

__all__ = [
    "UNFINISHED",
    "Absence",
    "Address",
    "AdvanceOrders",
    "Application",
    "Attendance",
    "Ballot",
    "BarredAddress",
    "Care",
    "CoGM",
    "Conduct",
    "DataRequest",
    "DiaryEntry",
    "Event",
    "FailingUser",
    "Game",
    "Halt",
    "Invitation",
    "Observer",
    "Offer",
    "OrderSet",
    "Phase",
    "Player",
    "Power",
    "Press",
    "Proposal",
    "Readiness",
    "Seat",
    "StaffEntry",
    "Standby",
]
