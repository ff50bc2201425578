"""What can happen in a game: a frozen dataclass for each kind, with its sentence for the log.

A new kind of event is a class in the module of its subject. All kinds are imported together here,
so it is known at once; `mailer.notices.table` says who is told of it.
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
