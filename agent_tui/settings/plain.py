"""Reading small files that may have come with a folder: a pipe, a device or a huge file there must not keep us."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

MAX_BYTES = 8 * 1024 * 1024


def read_plain(path: Path, most: int = MAX_BYTES) -> bytes:
    """Read a whole file of at most ``most`` bytes; never waits.

    Raises:
        OSError: it can't be read, is no regular file, or is larger.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    with open(handle, "rb") as file:  # noqa: PTH123 - of a handle
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most:,} bytes", str(path))
    return data
