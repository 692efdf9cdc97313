"""The command ``robots``, and its verb ``check`` as functions for tests of a site.

``assert_robots_txt`` checks that the robots.txt of a site meets its expectations. ``python -m robots_cli`` runs the
command ``robots``.
"""

from ._check import Checked, assert_robots_txt, check
from ._command import command

__all__ = ["Checked", "assert_robots_txt", "check", "command"]
