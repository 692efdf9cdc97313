"""Adapter for fastrobots: asks its cache, which fetches with httpx."""

import asyncio
import types
from importlib.metadata import version

import fastrobots.cache
from fastrobots import RobotsCache
from fastrobots.client import DEFAULT_TIMEOUT
from timelines import Timeline

timeline = Timeline(DEFAULT_TIMEOUT)
# Replaces the only clock that the cache reads.
fastrobots.cache.time = types.SimpleNamespace(time=lambda: timeline.now)


class Retriever:
    def __init__(self, _, token):
        self.token = token
        self.cache = RobotsCache(user_agent=token)

    async def allows(self, url):
        return await self.cache.allowed_async(url, self.token)


asyncio.run(timeline.run("fastrobots", version("fastrobots"), Retriever, clock=True))
