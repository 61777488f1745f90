"""A draft of text or bytes: grows at its end, is cut back to a known length, becomes the file at once."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from bearings.errors import WriteFailed

_NEVER_WAIT = getattr(os, "O_NONBLOCK", 0)


class Draft:
    """The unfinished file, of which `length` bytes are known; None: there is none yet. Raises WriteFailed.

    Never follows a link, and never writes to anything but a file of its own.
    """

    def __init__(self, path: Path, length: int | None) -> None:
        self.path = path
        try:
            made = length is None or not (length or os.path.lexists(path))
            flags = os.O_CREAT | os.O_EXCL if made else _NEVER_WAIT
            descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | flags)
            status = os.fstat(descriptor)
            is_usable = stat.S_ISREG(status.st_mode) and status.st_size >= (length or 0)
            if not is_usable:
                os.close(descriptor)
                raise WriteFailed(
                    f"{path} is shorter than it was", "Something changed it. Begin anew: pass --overwrite."
                )
            self._file = os.fdopen(descriptor, "r+b")
            self._file.truncate(length or 0)
            self._file.seek(length or 0)
        except FileExistsError as error:
            raise WriteFailed(f"{path} is there already, and of no run of this table", "Move it away.") from error
        except OSError as error:
            raise self._failed(error) from error

    def write(self, data: bytes) -> None:
        """Add bytes."""
        try:
            self._file.write(data)
        except OSError as error:
            raise self._failed(error) from error

    def sync(self) -> int:
        """Bring them to the disk; returns the length."""
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            return self._file.tell()
        except OSError as error:
            raise self._failed(error) from error

    def become(self, path: Path) -> None:
        """Be the finished file."""
        self.sync()
        self.close()
        try:
            self.path.replace(path)
        except OSError as error:
            raise self._failed(error) from error

    def close(self) -> None:
        """Close it; it stays. What a full disk does not take is lost, and written again."""
        with suppress(OSError):
            self._file.close()

    def _failed(self, error: OSError) -> WriteFailed:
        return WriteFailed(
            f"{self.path} can't be written: {error.strerror}", "Free the disk, or write elsewhere; then go on."
        )


class DraftWriter:
    """The base of all writers, with their draft. One whose file is not the draft alone finishes it by itself."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    def sync(self) -> int:
        """See Writer."""
        return self._draft.sync()

    def finish(self, path: Path) -> None:
        """See Writer."""
        self._draft.become(path)

    def close(self) -> None:
        """See Writer."""
        self._draft.close()
