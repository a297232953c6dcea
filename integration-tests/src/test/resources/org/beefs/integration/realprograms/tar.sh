# A tree is unpacked, compared with its archive, packed again and compared with the first.
mkdir "$SCRATCH/tree"
cp -a "/usr/include/$([ "$SIZE" -lt 1000 ] && echo asm-generic || echo linux)" "$SCRATCH/tree/headers"
for file in $(seq "$SIZE"); do echo "$file" > "$SCRATCH/tree/$file"; done
ln "$SCRATCH/tree/1" "$SCRATCH/tree/hard"
truncate -s 2M "$SCRATCH/tree/sparse"
echo end >> "$SCRATCH/tree/sparse"
setfattr -n user.name -v value "$SCRATCH/tree/1"
setfacl -m u:1002:rw "$SCRATCH/tree/2"
chown 1000:1001 "$SCRATCH/tree/3"
tar --acls --xattrs -S --sort=name -C "$SCRATCH" -cf "$SCRATCH/first.tar" tree
tar --acls --xattrs --numeric-owner -xpf "$SCRATCH/first.tar"
test -z "$(tar --acls --xattrs -df "$SCRATCH/first.tar" 2>&1 | tee /dev/stderr)"
test "$(getfattr --only-values -n user.name tree/1)" = value
getfacl -cpn tree/2 | grep -q '^user:1002:rw-'
tar --sort=name -cf second.tar tree
tar -df second.tar -C "$SCRATCH"
