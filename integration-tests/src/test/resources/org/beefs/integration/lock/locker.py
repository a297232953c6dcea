"""Opens, reads, writes and locks files as it is told, one line for each command; answers each with its number and what came of it."""
import errno
import fcntl
import os
import signal
import struct
import sys

OPEN_FLAGS = {"read": os.O_RDONLY, "write": os.O_RDWR, "append": os.O_RDWR | os.O_APPEND}
MODES = {"shared": fcntl.F_RDLCK, "exclusive": fcntl.F_WRLCK, "unlocked": fcntl.F_UNLCK}
FLOCK_MODES = {"shared": fcntl.LOCK_SH, "exclusive": fcntl.LOCK_EX, "unlocked": fcntl.LOCK_UN}
COMMANDS = {  # the kernel's numbers; not every Python names those of open file descriptions
    ("record", "get"): 5, ("record", "try"): 6, ("record", "wait"): 7,
    ("ofd", "get"): 36, ("ofd", "try"): 37, ("ofd", "wait"): 38,
}
ERRORS = {errno.EDEADLK: "EDEADLK"}  # which has two names
STRUCT_FLOCK = "hhqqi4x"

files = {}
listings = {}


def open_file(name, flags, path):
    files[name] = os.open(path, OPEN_FLAGS[flags] | os.O_CREAT, 0o644)


def close_file(name):
    os.close(files.pop(name))


def duplicate(name, copy):
    files[copy] = os.dup(files[name])


def write(name, text):
    """At the file's position, and one line end after it."""
    os.write(files[name], text.encode() + b"\n")


def sync(name):
    os.fsync(files[name])


def read(name):
    """The whole file, with a space for each line end."""
    return " ".join(os.pread(files[name], 1 << 20, 0).decode().split("\n")[:-1])


def links(name):
    return os.fstat(files[name]).st_nlink


def begin_listing(name, path):
    """Reads no more of the directory than the kernel gives at once."""
    listings[name] = os.scandir(path)
    return next(listings[name]).name


def end_listing(name):
    """The names that were not read yet."""
    with listings.pop(name) as rest:
        return " ".join(entry.name for entry in rest)


def lock(kind, how, name, mode, start="0", length="0"):
    if kind == "flock":
        fcntl.flock(files[name], FLOCK_MODES[mode] | (fcntl.LOCK_NB if how == "try" else 0))
        return
    wanted = struct.pack(STRUCT_FLOCK, MODES[mode], os.SEEK_SET, int(start), int(length), 0)
    found = fcntl.fcntl(files[name], COMMANDS[kind, how], wanted)
    if how == "get":
        mode, _, start, length, pid = struct.unpack(STRUCT_FLOCK, found)
        return "free" if mode == fcntl.F_UNLCK else f"{'shared' if mode == fcntl.F_RDLCK else 'exclusive'} {start} {length} {pid}"


def fork():
    """A child that has the same files open, until it is killed."""
    child = os.fork()
    if child == 0:
        signal.pause()
    return child


def interrupt(number, frame):
    raise InterruptedError(errno.EINTR, "a signal")


def main():
    for number in (signal.SIGALRM, signal.SIGINT):
        signal.signal(number, interrupt)
    verbs = {
        "open": open_file, "close": close_file, "dup": duplicate, "lock": lock, "fork": fork,
        "write": write, "sync": sync, "read": read, "links": links, "remove": os.unlink, "mkdir": os.mkdir,
        "begin-listing": begin_listing, "end-listing": end_listing,
    }
    for line in sys.stdin:
        number, verb, *arguments = line.split()
        try:
            result = verbs[verb](*arguments)
            answer = "done" if result is None else result
        except OSError as error:
            answer = ERRORS.get(error.errno) or errno.errorcode[error.errno]
        print(number, answer, flush=True)


main()
