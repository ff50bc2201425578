"""Where a request comes from: as far as the proxy next to us can tell, and no further."""

from __future__ import annotations

from ipaddress import ip_address

from django.http import HttpRequest


def hops(request: HttpRequest) -> list[str]:
    """Return who is connected to us, or, if that is a proxy, whom the proxy saw. In X-Forwarded-For
    only the last entry is the proxy's own: anybody can write those before it."""
    connected = request.META.get("REMOTE_ADDR", "")
    forwarded = request.headers.get("X-Forwarded-For", "")
    return [connected, forwarded.rpartition(",")[2].strip()] if forwarded else [connected]


def client_address(request: HttpRequest) -> str:
    """Return the address that failures count against; believe a proxy only on this machine or
    network."""
    connected, *seen = hops(request)
    try:
        near = not connected or ip_address(connected).is_private
        return str(ip_address(seen[0])) if near and seen else connected
    except ValueError:
        return connected
