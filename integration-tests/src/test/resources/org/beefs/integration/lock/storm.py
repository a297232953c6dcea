"""Changes names in a directory, several at once, until a file says that it is enough. Any error ends it; at its end it tells the names that must be there."""
import os
import sys
import threading

THREADS = 6
directory, enough = sys.argv[1:]
kept = [[] for _ in range(THREADS)]


def make(path):
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))


def live(worker, number):
    """Each call fails if it has been carried out before, or if the one before it has not been."""
    own = f"{directory}/own-{worker}-{number}"
    os.mkdir(own)
    make(f"{own}/a")
    os.link(f"{own}/a", f"{own}/b")
    os.rename(f"{own}/b", f"{directory}/kept-{worker}-{number}")
    os.symlink("nowhere", f"{own}/c")
    os.rename(f"{own}/c", f"{own}/d")
    os.unlink(f"{own}/d")
    os.unlink(f"{own}/a")
    os.rmdir(own)
    kept[worker].append(f"kept-{worker}-{number}")


def work(worker):
    number = 0
    try:
        while not os.path.exists(enough):
            live(worker, number)
            number += 1
            os.write(1, b".")
    except OSError as error:
        print(error, file=sys.stderr, flush=True)
        os._exit(1)


workers = [threading.Thread(target=work, args=[worker]) for worker in range(THREADS)]
for one in workers:
    one.start()
for one in workers:
    one.join()
for name in sorted(sum(kept, [])):
    if os.stat(f"{directory}/{name}").st_nlink != 1:
        sys.exit(f"{name} has more than one link")
    print("\n" + name, end="")
