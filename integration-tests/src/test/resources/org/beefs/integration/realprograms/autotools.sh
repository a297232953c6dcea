# A package in C is configured, built, tested and packed, all with the autotools.
mkdir package
cd package
cat > configure.ac <<'AC'
AC_INIT([beehive],[1.0])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_CC
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
AC
cat > Makefile.am <<'AM'
bin_PROGRAMS = beehive
beehive_SOURCES = main.c cells.c
TESTS = check.sh
EXTRA_DIST = check.sh
AM
cat > main.c <<'C'
#include <stdio.h>
int cells(int);
int main(void) { return printf("%d\n", cells(6)) < 0; }
C
echo 'int cells(int n) { return n * n; }' > cells.c
printf '#!/bin/sh\ntest "$(./beehive)" = 36\n' > check.sh
chmod +x check.sh
autoreconf -i > log 2>&1
mkdir ../build
cd ../build
../package/configure -q --prefix="$PWD/installed"
make -s -j2 check > log 2>&1
grep -q '^# PASS:  1' log
make -s install > log 2>&1
test "$(installed/bin/beehive)" = 36
make -q
touch ../package/cells.c
! make -q
[ "$SIZE" -lt 100 ] || make -s distcheck > log 2>&1
