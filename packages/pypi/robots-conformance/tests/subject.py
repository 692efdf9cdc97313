"""Protego as a subject."""

from importlib.metadata import version
from typing import List

from protego import Protego
from robots_conformance import serve


def allowed(robots_txt: bytes, agent: str, url: str) -> bool:
    return bool(Protego.parse(robots_txt.decode(errors="replace")).can_fetch(url, agent))


def sitemaps(robots_txt: bytes) -> List[str]:
    return list(Protego.parse(robots_txt.decode(errors="replace")).sitemaps)


serve(allowed, name="Protego", version=version("Protego"), sitemaps=sitemaps)
