/*
 * Shows that locks of fcntl(2) hold across mounts, and that what was written under one is seen under the next. Each process
 * walks round and round over N + 1 bytes of a file, hand over hand, and adds one to each byte that it holds. By how much a byte
 * has grown since it was there last is by how many processes walk: that is printed whenever it changes, until it is killed.
 *
 * usage: ping_pong FILE N
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int file;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void lock(short type, off_t at)
{
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};

	if (fcntl(file, F_SETLKW, &lock) != 0)
		die("fcntl");
}

static unsigned char add_one(off_t at)
{
	unsigned char value = 0, more;

	if (pread(file, &value, 1, at) < 0)
		die("pread");
	more = value + 1;
	if (pwrite(file, &more, 1, at) != 1)
		die("pwrite");
	return value;
}

int main(int argc, char **argv)
{
	int bytes = argc == 3 ? atoi(argv[2]) + 1 : 0;
	unsigned char *last = calloc(bytes, 1);
	int shown = -1;

	if (bytes < 2) {
		fprintf(stderr, "usage: %s FILE N\n", argv[0]);
		return 2;
	}
	file = open(argv[1], O_RDWR | O_CREAT, 0644);
	if (file < 0)
		die(argv[1]);
	lock(F_WRLCK, 0);
	for (long step = 0;; step++) {
		int at = step % bytes;

		lock(F_WRLCK, (at + 1) % bytes);
		unsigned char value = add_one(at);
		int growth = (unsigned char)(value - last[at]);
		last[at] = value;
		if (step >= bytes && growth != shown) {
			printf("%d\n", growth);
			fflush(stdout);
			shown = growth;
		}
		lock(F_UNLCK, at);
	}
}
