"""What can happen in a game: one frozen dataclass a kind, with its sentence for the log.

A new kind of event is a class in the module of its subject. It is known from here on, since all
kinds are imported together, and told as `mailer.notices.table` says.
"""

from games.events.facts import KINDS as KINDS
from games.events.facts import Facts as Facts
from games.events.facts import InPhase as InPhase
from games.events.facts import OfPower as OfPower
from games.events.facts import OfSeat as OfSeat
from games.events.facts import facts_of as facts_of
from games.events.facts import is_readable as is_readable
from games.events.facts import payload_of as payload_of
from games.events.facts import rows_saying as rows_saying
from games.events.play import *  # noqa: F403 (a new kind is offered without another line here)
from games.events.seats import *  # noqa: F403
from games.events.start import *  # noqa: F403
from games.events.time import *  # noqa: F403
from games.events.votes import *  # noqa: F403
