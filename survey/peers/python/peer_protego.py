"""Protego: Scrapy's parser."""

from importlib.metadata import version

from protego import Protego

import protocol


def verdict(question):
    return protocol.verdict(Protego.parse(question.text).can_fetch(question.url, question.token))


def sitemaps(question):
    return {"sitemaps": list(Protego.parse(question.text).sitemaps)}


protocol.serve("Protego", version("Protego"), {"verdict": verdict, "sitemaps": sitemaps})
