"""Locks files as it is told, one line for each command; answers each with its number and what came of it."""
import errno
import fcntl
import os
import signal
import struct
import sys

MODES = {"shared": fcntl.F_RDLCK, "exclusive": fcntl.F_WRLCK, "unlocked": fcntl.F_UNLCK}
FLOCK_MODES = {"shared": fcntl.LOCK_SH, "exclusive": fcntl.LOCK_EX, "unlocked": fcntl.LOCK_UN}
COMMANDS = {  # the kernel's numbers; not every Python names those of open file descriptions
    ("record", "get"): 5, ("record", "try"): 6, ("record", "wait"): 7,
    ("ofd", "get"): 36, ("ofd", "try"): 37, ("ofd", "wait"): 38,
}
ERRORS = {errno.EDEADLK: "EDEADLK"}  # which has two names
STRUCT_FLOCK = "hhqqi4x"

files = {}


def open_file(name, flags, path):
    files[name] = os.open(path, {"read": os.O_RDONLY, "write": os.O_RDWR}[flags] | os.O_CREAT, 0o644)


def close_file(name):
    os.close(files.pop(name))


def duplicate(name, copy):
    files[copy] = os.dup(files[name])


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
    verbs = {"open": open_file, "close": close_file, "dup": duplicate, "lock": lock, "fork": fork}
    for line in sys.stdin:
        number, verb, *arguments = line.split()
        try:
            result = verbs[verb](*arguments)
            answer = "done" if result is None else result
        except OSError as error:
            answer = ERRORS.get(error.errno) or errno.errorcode[error.errno]
        print(number, answer, flush=True)


main()
