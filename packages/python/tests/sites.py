"""Sites on this machine, for the tests of the clients: each answers as its script says, octet by octet."""

import socket
import struct
import threading


def answer(status, body=b"", *fields):
    """Returns an answer with a length."""
    head = [f"HTTP/1.1 {status} x", f"content-length: {len(body)}", "connection: close", *fields, "\r\n"]
    return "\r\n".join(head).encode() + body


def reset(connection):
    """Makes a connection end with a reset when it is closed."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class Site:
    """A site. Each request gets the next answer, and the last answer is repeated. An answer is octets, or a function
    that gets the connection. With `tls`, the context of a server, the site speaks https."""

    def __init__(self, *answers, address="127.0.0.1", port=0, tls=None):
        self._tls = tls
        self.answers = list(answers)
        self.requests = []
        self.closed = threading.Event()
        self._listener = socket.create_server((address, port))
        self.port = self._listener.getsockname()[1]
        self.origin = f"http{'s' if tls else ''}://{address}:{self.port}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.closed.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def hang(self, _):
        """Answers nothing until the site closes."""
        self.closed.wait(20)

    def _serve(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection):
        if self._tls is not None:
            try:
                connection = self._tls.wrap_socket(connection, server_side=True)
            except OSError:
                return
        with connection:
            request = b""
            while b"\r\n\r\n" not in request:
                part = connection.recv(65536)
                if not part:
                    return
                request += part
            self.requests.append(request.decode())
            # The last answer is not removed from the list, so that it is repeated.
            given = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
            if callable(given):
                given(connection)
            else:
                connection.sendall(given)
