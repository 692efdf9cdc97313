"""Tests of the proxy in `network.py`. `cargo survey retrievers` runs them before it measures a retriever in Python."""

import socket
import ssl
import unittest

from network import Network


class Tunnels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.asked = []
        cls.network = Network(cls.answer)

    @classmethod
    def answer(cls, url, fields):
        cls.asked.append(url)
        return {"status": 200, "body": b"a file"}

    def fetched(self, authority, is_tls):
        """Sends a request through a tunnel to `authority`. Returns the URL that the network was asked about."""
        host, _, port = self.network.proxy.rpartition("/")[2].partition(":")
        with socket.create_connection((host, int(port)), timeout=10) as raw:
            raw.sendall(f"CONNECT {authority} HTTP/1.1\r\nhost: {authority}\r\n\r\n".encode())
            self.assertTrue(raw.recv(4096).startswith(b"HTTP/1.1 200"))
            context = ssl.create_default_context(cafile=self.network.authority.file)
            name = authority.rpartition(":")[0]
            connection = context.wrap_socket(raw, server_hostname=name) if is_tls else raw
            connection.sendall(b"GET /robots.txt HTTP/1.1\r\nhost: a\r\n\r\n")
            self.assertTrue(connection.makefile("rb").read().endswith(b"a file"))
        return self.asked.pop()

    def test_a_tunnel_takes_tls(self):
        self.assertEqual(self.fetched("example.com:443", True), "https://example.com/robots.txt")
        self.assertEqual(self.fetched("example.com:8443", True), "https://example.com:8443/robots.txt")

    def test_a_tunnel_takes_http(self):
        self.assertEqual(self.fetched("example.com:80", False), "http://example.com/robots.txt")
        self.assertEqual(self.fetched("example.com:8080", False), "http://example.com:8080/robots.txt")


if __name__ == "__main__":
    unittest.main(warnings="ignore")
