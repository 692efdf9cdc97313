"""The protocol for retrievers in Python: asks a retriever the questions of a timeline, and connects it with the runner.

Start at `Timeline.run`. An adapter provides a class. Each timeline makes an instance of it, and a new instance after a
restart.
"""

import asyncio
import base64
import json
import sys
import threading

from network import Network

# The start of every timeline: 2030-01-01 00:00 GMT.
START = 1893456000


class Timeline:
    """The current timeline. Its `now` is the clock, in seconds since 1970."""

    def __init__(self, timeout):
        """`timeout` is the number of seconds after which the retriever, by its own settings, ends a request."""
        self.timeout = timeout
        self.out, sys.stdout = sys.stdout, sys.stderr  # A retriever that prints must not break the protocol.
        self.lock = threading.Lock()
        self.id, self.step, self.at = None, 0, 0
        self.network = Network(self.answer)

    @property
    def now(self):
        return START + self.at

    def say(self, message):
        self.out.write(json.dumps(message) + "\n")
        self.out.flush()

    def hear(self):
        """Returns the next question, or None at the end."""
        line = sys.stdin.buffer.readline()
        return json.loads(line) if line else None

    def answer(self, url, fields):
        """Asks the runner for the network's answer to a request."""
        with self.lock:
            request = {"step": self.step, "at": self.at, "url": url, "fields": fields}
            self.say({"id": self.id, "request": request})
            reply = json.loads(sys.stdin.buffer.readline())["reply"]
            delay = reply.get("delay", 0)
            if delay > self.timeout:
                self.at += self.timeout
                return {"failure": "timeout"}
            self.at += delay
        return reply if "failure" in reply else reply | {"body": base64.b64decode(reply["body"])}

    async def run(self, name, version, make, clock):
        """Answers questions until standard input ends."""
        hello = {"protocol": 1, "name": name, "version": version, "language": "python", "clock": clock}
        hello |= {"roles": ["retriever"], "answers": ["timeline"]}
        while (question := await asyncio.to_thread(self.hear)) is not None:
            if question["ask"] == "hello":
                self.say(hello)
                continue
            self.id = question["id"]
            try:
                answer = await self.verdicts(make, question)
            except Exception as error:  # An exception of a retriever is its answer.
                answer = {"error": f"{type(error).__name__}: {error}"}
            self.say({"id": question["id"]} | answer)

    async def verdicts(self, make, question):
        if len(question["crawler"]) != 1:
            return {"unsupported": "this parser accepts one product token, not a list"}
        token, answers, retriever = question["crawler"][0], [], None
        for self.step, step in enumerate(question["steps"]):
            self.at = step["at"]
            if retriever is None or step.get("restart"):
                retriever = make(self, token)
            allowed = [await retriever.allows(url) for url in step["urls"]]
            answers.append([{"verdict": "allow" if one else "disallow"} for one in allowed])
        return {"timeline": answers}
