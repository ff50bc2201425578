"""A form for what an act has to be told, drawn from the fields of its dataclass."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, Generic, cast

from django import forms

from games.acts import Act
from games.acts.base import P, Subject
from games.acts.parameters import Parameter, parameters_of
from games.acts.settings import Parameters as SettingsParameters
from games.admin.forms import ReadField, field_of
from games.models import Game, Player
from games.settings import CHANGEABLE

Typed = Mapping[str, str]
"""What somebody typed, or what is proposed, by the names of the fields."""


NOT_THERE = "What you chose is no longer on this list. Please choose again."
"""What people read who act on something that others have settled meanwhile."""


class ActForm(forms.Form, Generic[Subject, P]):
    """The form of one act on one game or player."""

    required_css_class = "required"
    use_required_attribute = False

    def __init__(
        self,
        act: Act[Subject, P],
        subject: Subject,
        typed: Typed | None = None,
        *,
        now: dt.datetime,
        initial: dict[str, str] | None = None,
    ) -> None:
        super().__init__(typed, initial=initial)
        self.act: Act[Subject, P] = act
        self.now = now
        for one in parameters_of(act.parameters):
            self.fields |= self.fields_of(one, subject)

    def fields_of(self, parameter: Parameter, subject: Subject) -> dict[str, forms.Field]:
        """Return the fields for one parameter, by name; none if there is nothing to choose."""
        choices = parameter.ask.choices
        if choices and not parameter.many and set(choices(subject, self.now)) == {""}:
            return {}
        return {parameter.name: _field(parameter, subject, self.now)}

    def given(self) -> P:
        """Return the act's parameters, once the form is valid."""
        typed = self.cleaned_data.items()
        values = {name: tuple(value) if type(value) is list else value for name, value in typed}
        return self.act.parameters(**values)


class SettingsForm(ActForm[Game, SettingsParameters]):
    """The settings that may change in a game as it stands, to be overwritten.

    Each is sent with the value that the form showed. A setting that nobody touched is left alone,
    even if somebody else has changed it since.
    """

    def fields_of(self, parameter: Parameter, subject: Game) -> dict[str, forms.Field]:
        if parameter.name != "changes":
            return super().fields_of(parameter, subject)
        forming = subject.status == Game.Status.FORMING
        asked = {name: one for name, one in CHANGEABLE.items() if name != "start" or forming}
        fields = {name: field_of(one) for name, one in asked.items()}
        for name, field in fields.items():
            field.initial = getattr(subject, name)
            field.show_hidden_initial = self._knows_what_was_shown(name)
        return fields

    def _knows_what_was_shown(self, name: str) -> bool:
        """Whether Django has the value that was shown to hide beside the field. It would hide what
        somebody typed into the form of an older release, or what a link proposes, and then nobody
        seems to have touched it."""
        hidden = self.add_initial_prefix(name)
        return hidden in self.data if self.is_bound else name not in self.initial

    def given(self) -> SettingsParameters:
        typed = self.cleaned_data.items()
        changes = {name: it for name, it in typed if name in CHANGEABLE and self._is_touched(name)}
        return SettingsParameters(changes=changes, why=self.cleaned_data["why"])

    def _is_touched(self, name: str) -> bool:
        """Whether it differs from what the form showed, or nobody knows what that was."""
        return name in self.changed_data or self[name].html_initial_name not in self.data


def form_for(
    act: Act[Subject, P],
    subject: Subject,
    typed: Typed | None = None,
    *,
    now: dt.datetime,
    initial: dict[str, str] | None = None,
) -> ActForm[Subject, P]:
    """Return the form of an act at this moment, with what was typed or else with what is
    proposed."""
    settings = act.parameters is SettingsParameters
    kind = cast("type[ActForm[Subject, P]]", SettingsForm if settings else ActForm)
    return kind(act, subject, typed, now=now, initial=initial)


def _field(parameter: Parameter, subject: Game | Player, now: dt.datetime) -> forms.Field:
    ask = parameter.ask
    note = ask.note(subject) if ask.note else ""
    common: dict[str, Any] = {
        "label": ask.label,
        "help_text": f"{ask.help} {note}".strip(),
        "required": parameter.required,
        "error_messages": {"required": parameter.missing},
    }
    if parameter.yes_or_no:
        return forms.BooleanField(**common)
    if ask.choices:
        choices = list(ask.choices(subject, now).items())
        common["error_messages"]["invalid_choice"] = NOT_THERE
        if parameter.many:
            widget = forms.CheckboxSelectMultiple
            return forms.MultipleChoiceField(choices=choices, widget=widget, **common)
        # Nobody acts on a power, or on anything, that they did not choose themselves.
        blank = [] if choices and choices[0][0] == "" else [("", "Please choose")]
        return forms.ChoiceField(choices=[*blank, *choices], **common)
    proposed = ask.proposes(subject) if ask.proposes else ask.proposed
    common |= {"initial": proposed or None, "max_length": ask.longest}
    if ask.rows:
        attributes = {"rows": ask.rows, **({"spellcheck": "false"} if ask.read else {})}
        common["widget"] = forms.Textarea(attrs=attributes)
    if ask.is_moment:
        common["widget"] = forms.TextInput(attrs={"type": "datetime-local"})
    return ReadField(ask.read, **common) if ask.read else forms.CharField(**common)
