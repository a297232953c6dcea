# A tree with all that rsync can keep goes there, and is found unchanged.
mkdir "$SCRATCH/tree"
cp -a "/usr/include/$([ "$SIZE" -lt 1000 ] && echo asm-generic || echo linux)" "$SCRATCH/tree/headers"
cd "$SCRATCH/tree"
mkdir -p many
for file in $(seq "$SIZE"); do echo "$file" > "many/$file"; done
ln many/1 many/hard
ln -s many/1 symbolic
ln -s nowhere dangling
mkfifo fifo
mknod device c 1 3
echo text > owned; chown 1000:1001 owned; chmod 4751 owned
touch -d '1969-07-20 20:17:40.123456789 UTC' old
setfattr -n user.name -v value owned
setfacl -m u:1002:rw -m d:g:1003:rx many
truncate -s 3M sparse
echo end >> sparse
cd "$WORK"
rsync -aHAXS "$SCRATCH/tree/" copy/
test -z "$(rsync -aHAXnci --delete "$SCRATCH/tree/" copy/ | tee /dev/stderr)"
test -z "$(rsync -aHAXnci --delete copy/ "$SCRATCH/tree/" | tee /dev/stderr)"
test "$(stat -c %i copy/many/1)" = "$(stat -c %i copy/many/hard)"
test "$(stat -c %b copy/sparse)" -lt 1000
# Changes follow, and nothing else.
echo changed >> "$SCRATCH/tree/many/2"
rm "$SCRATCH/tree/many/3"
test "$(rsync -aHAXi --delete "$SCRATCH/tree/" copy/ | grep -v '^\.d' | cut -c1-2 | sort | tr '\n' ' ')" = '*d >f '
diff -r --no-dereference --exclude=fifo --exclude=device "$SCRATCH/tree" copy
