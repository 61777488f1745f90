"""Reading files that somebody else may have put there."""

import os
import threading
from pathlib import Path

import pytest

from bearings.regular import NO_LINK, NoRegularFile, read_any, read_regular


def test_a_regular_file_is_read_up_to_a_size(tmp_path: Path):
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    assert read_regular(path, 20)[0] == b"0123456789"
    assert read_regular(path, 4)[0] == b"01234"
    assert read_any(str(path), 4, 1.0)[:5] == b"01234"


@pytest.mark.skipif(os.name != "posix", reason="POSIX")
def test_nothing_else_is_read_or_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to(tmp_path / "fifo")
    for name in ("fifo", "link", "."):
        with pytest.raises(NoRegularFile):
            read_regular(tmp_path / name, 10)
    with pytest.raises(NoRegularFile):
        read_regular("/dev/zero", 10)
    (tmp_path / "file").write_text("x")
    (tmp_path / "way").symlink_to(tmp_path / "file")
    assert read_regular(tmp_path / "way", 10)[0] == b"x"
    with pytest.raises(OSError, match="links"):
        read_regular(tmp_path / "way", 10, NO_LINK)


@pytest.mark.skipif(os.name != "posix", reason="POSIX")
def test_a_pipe_must_end_in_time(tmp_path: Path):
    path = tmp_path / "fifo"
    os.mkfifo(path)
    with pytest.raises(TimeoutError):
        read_any(str(path), 10, 0.01)
    writer = threading.Thread(target=lambda: path.write_text("A=1\n"))
    writer.start()
    assert read_any(str(path), 10, 60.0) == b"A=1\n"
    writer.join()
    assert read_any(os.devnull, 10, 1.0) == b""
    assert len(read_any("/dev/zero", 10, 1.0)) > 10
