"""A network for retrievers in Python: an HTTP proxy on loopback. The runner answers every request to the proxy.

Start at `Network`. A retriever runs unchanged, with its own client, and uses the proxy that the environment names. For
https the proxy ends TLS itself, with certificates of an authority that the environment also names. A tunnel may also
carry http. The retriever sees every failure of the network as a connection that ends without a response. This module
contains no code for a particular retriever.
"""

import datetime
import http.server
import ipaddress
import os
import socket
import socketserver
import ssl
import struct
import tempfile
import threading

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Network:
    """The proxy. `answer` receives the URL and the header fields of a request, and returns a reply of the protocol."""

    def __init__(self, answer):
        self.answer = answer
        self.authority = Authority()
        server = Proxy(("127.0.0.1", 0), Connection)
        server.network = self
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.proxy = "http://127.0.0.1:%d" % server.server_address[1]
        for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
            os.environ[name] = self.proxy
        for name in ("no_proxy", "NO_PROXY"):
            os.environ.pop(name, None)
        for name in ("SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"):
            os.environ[name] = self.authority.file


class Proxy(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


class Connection(http.server.BaseHTTPRequestHandler):
    """A connection to the proxy: it carries a request for an http URL, or is a tunnel."""

    protocol_version = "HTTP/1.1"
    tunnel = None

    def log_message(self, *_):
        pass

    def do_CONNECT(self):
        self.send_response_only(200)
        self.end_headers()
        host, _, port = self.path.rpartition(":")
        host = host.strip("[]")
        try:
            # After a redirect from https to http, curl sends http through a tunnel. TLS begins with octet 0x16.
            scheme = "https" if self.connection.recv(1, socket.MSG_PEEK) == b"\x16" else "http"
            if scheme == "https":
                context = self.server.network.authority.context(host)
                self.connection = context.wrap_socket(self.connection, server_side=True)
                self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)
        except OSError:
            self.close_connection = True
            return
        shown = f"[{host}]" if ":" in host else host
        is_default = port == {"https": "443", "http": "80"}[scheme]
        self.tunnel = f"{scheme}://{shown}" if is_default else f"{scheme}://{shown}:{port}"
        self.close_connection = False

    def do_GET(self):
        url = self.tunnel + self.path if self.tunnel else self.path
        fields = {name.lower(): value for name, value in self.headers.items() if name.lower() != "proxy-connection"}
        reply = self.server.network.answer(url, fields)
        # Each request has a separate connection.
        self.close_connection = True
        if "failure" in reply:
            self.reset()
            return
        body = reply["body"]
        head = [f"HTTP/1.1 {reply['status']} {http.server.BaseHTTPRequestHandler.responses.get(reply['status'], ('Unknown',))[0]}"]
        head += [f"{name}: {value}" for name, value in reply.get("fields", [])]
        length = len(body) + (100 if reply.get("cut") else 0)
        head += [f"content-length: {length}", "connection: close", "", ""]
        self.wfile.write("\r\n".join(head).encode("utf-8", "surrogateescape") + body)
        if reply.get("cut"):
            self.reset()

    do_HEAD = do_GET

    def reset(self):
        """Ends the connection with a reset."""
        raw = socket.socket.detach(self.connection) if isinstance(self.connection, ssl.SSLSocket) else None
        connection = socket.socket(fileno=raw) if raw is not None else self.connection
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()


class Authority:
    """A certificate authority for this run."""

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Timelines")])
        limits = x509.BasicConstraints(ca=True, path_length=0)
        certificate = self.certificate(self.name, self.key, [(limits, True)])
        self.folder = tempfile.TemporaryDirectory()
        self.file = os.path.join(self.folder.name, "authority.pem")
        with open(self.file, "wb") as file:
            file.write(certificate.public_bytes(serialization.Encoding.PEM))
        self.contexts = {}
        self.lock = threading.Lock()

    def certificate(self, subject, key, extensions):
        # The clocks of timelines begin in 2030, so the certificates must still be valid then.
        years = [datetime.datetime(year, 1, 1, tzinfo=datetime.timezone.utc) for year in (2020, 2090)]
        builder = x509.CertificateBuilder(self.name, subject, key.public_key(), x509.random_serial_number(), *years)
        identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        subject_identifier = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
        for extension, critical in [*extensions, (identifier, False), (subject_identifier, False)]:
            builder = builder.add_extension(extension, critical)
        return builder.sign(self.key, hashes.SHA256())

    def context(self, host):
        """Returns the TLS settings of a server with a host's certificate."""
        with self.lock:
            if host not in self.contexts:
                key = ec.generate_private_key(ec.SECP256R1())
                try:
                    name = x509.IPAddress(ipaddress.ip_address(host))
                except ValueError:
                    name = x509.DNSName(host)
                subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "host")])
                leaf = self.certificate(subject, key, [(x509.SubjectAlternativeName([name]), False)])
                file = os.path.join(self.folder.name, f"{len(self.contexts)}.pem")
                with open(file, "wb") as opened:
                    opened.write(leaf.public_bytes(serialization.Encoding.PEM))
                    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
                    opened.write(key.private_bytes(*form))
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(file)
                self.contexts[host] = context
            return self.contexts[host]
