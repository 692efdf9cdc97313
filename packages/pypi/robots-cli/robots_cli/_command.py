"""Finds the command that this package contains."""

import os
import shutil
import sys
import sysconfig
from pathlib import Path

_NAME = "robots" + (sysconfig.get_config_var("EXE") or "")


def command() -> str:
    """Return the path of the command ``robots``.

    It is in pip's folder for scripts: in the environment, the user's folder, or a folder of ``pip install --target``.
    If it is in none of these folders, the folders of ``PATH`` are searched.

    Raises:
        FileNotFoundError: the package is installed, but its command is missing.
    """
    folders = [sysconfig.get_path("scripts"), str(Path(sys.executable).parent)]
    user = sysconfig.get_path("scripts", f"{os.name}_user") if f"{os.name}_user" in sysconfig.get_scheme_names() else ""
    target = Path(__file__).parent.parent / "bin"
    for folder in [*folders, user, str(target)]:
        path = Path(folder) / _NAME
        if folder and path.is_file():
            return str(path)
    found = shutil.which(_NAME)
    if found is None:
        raise FileNotFoundError(
            f"{_NAME} is not in any of {', '.join(filter(None, [*folders, user, str(target)]))}; "
            "install the package again: pip install --force-reinstall robots-cli"
        )
    return found
