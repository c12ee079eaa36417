"""A folder that becomes a package: plain files with fixed rights and times, whatever the umask and the user are."""
import gzip
import hashlib
import os
import pathlib
import tarfile


def compressed(data):
    """gzip without a name and a time."""
    return gzip.compress(data, 9, mtime=0)


class Tree:
    """The files below a folder."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.root.mkdir(parents=True)

    def path(self, name):
        """Where a file goes; its folders are made."""
        target = self.root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        return target

    def put(self, name, data):
        self.path(name).write_bytes(data if isinstance(data, bytes) else data.encode())

    def packed(self, name, data):
        self.put(f"{name}.gz", compressed(data if isinstance(data, bytes) else data.encode()))

    def files(self):
        """The files, sorted by the bytes of their paths."""
        return sorted((path for path in self.root.rglob("*") if not path.is_dir()), key=lambda path: os.fsencode(path.relative_to(self.root)))

    def settle(self, time):
        """Sets rights and times; a program keeps its right to be executed."""
        for path in [self.root, *self.root.rglob("*")]:
            if path.is_symlink() or not (path.is_dir() or path.is_file()):
                raise ValueError(f"{path} is neither a file nor a folder")
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
            os.utime(path, (time, time))

    def sums(self, prefix):
        """A line of sha256sum for each file; `prefix` stands before its path."""
        return "".join(checksum(path, prefix + str(path.relative_to(self.root))) for path in self.files())

    def pack(self, archive, time):
        """A tar file that depends only on the files: sorted, no owner, one time."""
        def plain(entry):
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = ""
            entry.mtime = time
            return entry

        with open(archive, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as outer:
            with tarfile.open(fileobj=outer, mode="w", format=tarfile.GNU_FORMAT) as tar:
                # tarfile sorts the names of each folder.
                tar.add(self.root, self.root.name, filter=plain)


def checksum(path, name):
    """A line as sha256sum writes it."""
    return f"{hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()}  {name}\n"
