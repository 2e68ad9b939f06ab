"""Files appear whole or not at all, and never in the place of something else."""

import os
import stat

import pytest

from fogtree import files
from fogtree.errors import Invalid
from fogtree.files import appearing, refusing


def test_a_file_appears_when_all_is_written(tmp_path):
    path = tmp_path / "x"
    path.write_text("old")
    with appearing(path, "t") as file:
        file.write("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new" and os.listdir(tmp_path) == ["x"]


def test_after_an_error_nothing_of_it_remains(tmp_path):
    path = tmp_path / "x"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), appearing(path, "t") as file:
        file.write("new")
        raise ZeroDivisionError
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["x"]


def test_a_link_is_not_replaced(tmp_path):
    (tmp_path / "file").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with pytest.raises(Invalid, match="link is a link, and writing would replace it"), appearing(tmp_path / "link"):
        pass
    assert (tmp_path / "link").is_symlink()


def test_a_pipe_and_a_folder_are_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Invalid, match="pipe is no ordinary file"), appearing(tmp_path / "pipe"):
        pass
    with pytest.raises(Invalid, match="is a folder: name a file"), appearing(tmp_path):
        pass
    assert (tmp_path / "pipe").is_fifo()


def test_a_place_where_nothing_can_be_written_is_told_in_a_sentence(tmp_path):
    path = tmp_path / "no" / "x"
    with (
        pytest.raises(Invalid, match=r"x cannot be written: No such file or directory"),
        refusing(path),
        appearing(path),
    ):
        pass


def test_a_file_is_on_the_disk_before_it_takes_its_name_and_so_is_the_name(tmp_path, monkeypatch):
    # a power cut between the two would leave an empty file in place of the old one
    done = []

    def sync(handle):
        status = os.fstat(handle)
        done.append("folder" if stat.S_ISDIR(status.st_mode) else status.st_size)

    replace = os.replace
    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", lambda *names: (done.append("replace"), replace(*names)))
    with appearing(tmp_path / "a", "t") as file:
        file.write("abc")
    assert done == [3, "replace", "folder"] and (tmp_path / "a").read_text() == "abc"


@pytest.mark.skipif(files.fcntl is None, reason="the system has no locks")
def test_a_file_is_held_by_one_at_a_time_and_goes_at_the_end(tmp_path):
    path = tmp_path / "held"
    with files.alone(path):
        with pytest.raises(BlockingIOError), files.alone(path, 0.05):
            pass
        assert path.exists()
    assert not path.exists()


@pytest.mark.skipif(files.fcntl is None, reason="the system has no locks")
def test_a_file_that_its_holder_removes_meanwhile_is_made_again(tmp_path, monkeypatch):
    # else two processes would hold two files of one name
    path, flock, taken = tmp_path / "held", files.fcntl.flock, []

    def flock_late(file, how):
        flock(file, how)
        taken.append(file)
        if len(taken) == 1:
            path.unlink()

    monkeypatch.setattr(files.fcntl, "flock", flock_late)
    with files.alone(path):
        assert path.exists() and len(taken) == 2
