"""Whom a request comes from, through the proxy next to us and no further."""

from __future__ import annotations

from ipaddress import ip_address

from django.http import HttpRequest


def hops(request: HttpRequest) -> list[str]:
    """Who is connected to us, and if that is a proxy, whom it saw.

    Only the last entry of X-Forwarded-For is the proxy's own; all before it anybody can write.
    """
    connected = request.META.get("REMOTE_ADDR", "")
    forwarded = request.headers.get("X-Forwarded-For", "")
    return [connected, forwarded.rpartition(",")[2].strip()] if forwarded else [connected]


def client_address(request: HttpRequest) -> str:
    """The address to hold failures against: a proxy's word counts only from this machine or net."""
    connected, *seen = hops(request)
    try:
        near = not connected or ip_address(connected).is_private
        return str(ip_address(seen[0])) if near and seen else connected
    except ValueError:
        return connected
