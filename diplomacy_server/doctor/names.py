"""The DNS of the server's domain: what other mail servers ask before they believe our mail."""

from __future__ import annotations

from collections.abc import Iterator

import dns.exception
import dns.resolver
import dns.reversename
from django.conf import settings

from diplomacy_server.doctor.lines import Line, Teller
from diplomacy_server.environment import parts_of

SECONDS = 5.0
HERE_ONLY = ("localhost", "test", "local", "invalid", "internal")


class Names:
    """Asks the DNS; a name without an answer gives an empty list."""

    def __init__(self, resolver: dns.resolver.Resolver | None = None) -> None:
        self.resolver = resolver or dns.resolver.Resolver()
        self.resolver.lifetime = SECONDS

    def ask(self, name: str, kind: str) -> list[str]:
        """Return the records of this kind as text, the parts of a TXT joined."""
        try:
            answer = self.resolver.resolve(name, kind)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        if kind == "TXT":
            return [b"".join(record.strings).decode("utf-8", "replace") for record in answer]
        return [record.to_text() for record in answer]

    def host_of(self, address: str) -> list[str]:
        """Return the names of an IP address."""
        return self.ask(dns.reversename.from_address(address).to_text(), "PTR")


def look_at_names(names: Names | None = None) -> Iterator[Line]:
    """MX, SPF and DMARC of our domain, and the name of the relay's address."""
    tell, domain = Teller("dns"), settings.JUDGE_ADDRESS.rpartition("@")[2]
    if domain.rpartition(".")[2] in HERE_ONLY:
        yield tell.ok(f"{domain} is a name of this machine alone.")
        return
    try:
        names = names or Names()
        yield from _mx(names, domain, tell)
        yield from _spf(names, domain, tell)
        yield from _dmarc(names, domain, tell)
        yield from _reverse(names, _relay(domain), tell)
    except dns.exception.DNSException as error:
        yield tell.look(f"The DNS does not answer: {type(error).__name__}.", "Ask again later.")


def _relay(domain: str) -> str:
    """Return the name by which others know the relay. If it runs on this machine, that is most
    likely our domain, where our pages are."""
    host = parts_of(settings.EMAIL_URL).hostname or ""
    here = host in ("", "localhost", "::1") or host.startswith("127.")
    return domain if here else host


def _mx(names: Names, domain: str, tell: Teller) -> Iterator[Line]:
    if found := names.ask(domain, "MX"):
        yield from (_exchanger(names, domain, mx.split()[-1].rstrip("."), tell) for mx in found)
    elif names.ask(domain, "A") or names.ask(domain, "AAAA"):
        yield tell.look(f"{domain} has no MX record.", f"Add one: {domain}. MX 10 mail.{domain}.")
    else:
        yield tell.mend(
            f"{domain} has neither MX nor address: no mail can reach us.",
            f"Add one: {domain}. MX 10 mail.{domain}.",
        )


def _exchanger(names: Names, domain: str, host: str, tell: Teller) -> Line:
    if host and (names.ask(host, "A") or names.ask(host, "AAAA")):
        return tell.ok(f"{domain} takes mail at {host}.")
    says = f"The MX of {domain} is {host or '“.”'}, which has no address: no mail comes that way."
    return tell.mend(says, "Let it name your mail server, not an address, or take it away.")


def _spf(names: Names, domain: str, tell: Teller) -> Iterator[Line]:
    found = [text for text in names.ask(domain, "TXT") if text.lower().startswith("v=spf1")]
    relay = _relay(domain)
    if not found:
        yield tell.look(
            f"{domain} does not say who may send its mail (SPF).",
            f'Add: {domain}. TXT "v=spf1 mx a:{relay} -all" (or what your provider names).',
        )
    elif len(found) > 1:
        says = f"{domain} has {len(found)} SPF records."
        yield tell.mend(says, "Leave one: two void each other.")
    elif found[0].lower().split()[1:] in (["-all"], ["~all"]):
        says = f"{domain} says that nobody may send its mail (SPF: {found[0]})."
        yield tell.mend(says, f'Write: {domain}. TXT "v=spf1 mx a:{relay} -all".')
    else:
        yield tell.ok(f"SPF: {found[0]}")


def _dmarc(names: Names, domain: str, tell: Teller) -> Iterator[Line]:
    """A domain without a policy of its own has that of the domain above (RFC 7489, 6.6.3)."""
    labels = domain.split(".")
    for above in (".".join(labels[i:]) for i in range(len(labels) - 1)):
        texts = names.ask(f"_dmarc.{above}", "TXT")
        if found := [text for text in texts if text.lower().startswith("v=dmarc1")]:
            yield tell.ok(f"DMARC{f' of {above}' if above != domain else ''}: {found[0]}")
            break
    else:
        yield tell.look(
            f"{domain} does not say what becomes of forged mail in its name (DMARC).",
            f'Add: _dmarc.{domain}. TXT "v=DMARC1; p=quarantine".',
        )


def _reverse(names: Names, host: str, tell: Teller) -> Iterator[Line]:
    """Many servers refuse a relay whose address has no name that leads back to it."""
    for address in [*names.ask(host, "A"), *names.ask(host, "AAAA")]:
        called = [name.rstrip(".") for name in names.host_of(address)]
        kind = "AAAA" if ":" in address else "A"
        if any(address in names.ask(name, kind) for name in called):
            yield tell.ok(f"The relay's address {address} is called {called[0]}, and back.")
        else:
            yield tell.look(
                f"The relay's address {address} has no name that leads back to it.",
                "If the relay is yours, have its provider set the reverse DNS (PTR).",
            )
