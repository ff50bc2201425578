"""A certificate that a server wrote for itself: whoever is not told to trusts it not."""

from __future__ import annotations

import datetime as dt
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = dt.timedelta(days=1)


def server_side(
    path: Path, address: str = "127.0.0.1", *, lasts: dt.timedelta = DAY
) -> ssl.SSLContext:
    """The server's side of TLS for this address, good from yesterday until `lasts` from now; key
    and certificate are written to `path`."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail.example.org")])
    now = dt.datetime.now(dt.UTC)
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))])
    written = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - DAY)
        .not_valid_after(now + lasts)
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(pem + written.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


@contextmanager
def impostor(
    folder: Path, address: str = "127.0.0.1", *, lasts: dt.timedelta = DAY
) -> Iterator[tuple[int, list[bytes]]]:
    """A server on 127.0.0.1 that greets in TLS, with a certificate for `address`, and keeps what it
    is told: its port, and that."""
    context, told = server_side(folder / "server.pem", address, lasts=lasts), list[bytes]()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with suppress(OSError), listening.accept()[0] as raw:
                raw.settimeout(5)
                with context.wrap_socket(raw, server_side=True) as talking:
                    talking.sendall(b"* OK or 220, whatever you like\r\n")
                    told.append(talking.recv(1000))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()[1], told
        thread.join(10)
