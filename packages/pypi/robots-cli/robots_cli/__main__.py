"""Runs the command for ``python -m robots_cli``."""

import os
import subprocess
import sys

from ._command import command

if os.name == "posix":
    os.execv(command(), [command(), *sys.argv[1:]])
else:
    # On Windows, a process cannot replace itself with another program.
    try:
        sys.exit(subprocess.run([command(), *sys.argv[1:]], check=False).returncode)
    except KeyboardInterrupt:
        sys.exit(2)
