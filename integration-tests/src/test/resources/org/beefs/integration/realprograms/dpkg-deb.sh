# A binary package is built and unpacked again.
mkdir -p package/DEBIAN package/usr/share
cp -a "/usr/include/$([ "$SIZE" -lt 1000 ] && echo asm-generic || echo linux)" package/usr/share/headers
ln -s headers package/usr/share/link
printf 'Package: comb\nVersion: 1.0\nArchitecture: all\nMaintainer: Tester <tester@example.org>\nDescription: comb\n' > package/DEBIAN/control
dpkg-deb --root-owner-group -Zgzip -b package comb.deb > /dev/null
test "$(dpkg-deb -f comb.deb Package Version | tr '\n' ' ')" = 'Package: comb Version: 1.0 '
dpkg-deb -x comb.deb unpacked
diff -r --no-dereference package/usr unpacked/usr
dpkg-deb -R comb.deb raw
diff -r --no-dereference package raw
dpkg-deb --fsys-tarfile comb.deb | tar -df - -C unpacked
