# A database is filled and worked on, its server is killed in the midst of work, and recovers.
PATH=$(ls -d /usr/lib/postgresql/*/bin | tail -1):$PATH
export PGHOST="$SCRATCH" PGDATA="$PWD/data" PGUSER=tester PGDATABASE=postgres
initdb -U tester -A trust --no-locale -k > /dev/null
start() { pg_ctl -w -t 60 -l "$SCRATCH/server.log" -o "-k '$SCRATCH' -c listen_addresses=" start > /dev/null; }
start
trap 'pg_ctl -m immediate stop > /dev/null 2>&1 || true' EXIT
pgbench -q -i -s 1 2> /dev/null
pgbench -n -c 4 -j 2 -t "$SIZE" > /dev/null
test "$(psql -Atc 'select count(*) from pgbench_history')" = $((4 * SIZE))
# Under work: what was told to be committed is counted by the clients.
pgbench -n -c 2 -T 60 -l --log-prefix "$SCRATCH/committed" > /dev/null 2>&1 &
work=$!
until [ "$(cat "$SCRATCH"/committed.* 2> /dev/null | wc -l)" -ge 20 ]; do sleep 0.1; done
pg_ctl -m immediate stop > /dev/null
wait $work || true
start
grep -q 'redo done' "$SCRATCH/server.log"
told=$(cat "$SCRATCH"/committed.* | wc -l)
found=$(($(psql -Atc 'select count(*) from pgbench_history') - 4 * SIZE))
# Each of the two clients may have had one commit of which it was not told.
test "$found" -ge "$told"
test "$found" -le $((told + 2))
for table in accounts:abalance tellers:tbalance branches:bbalance; do
  test "$(psql -Atc "select sum(${table#*:}) from pgbench_${table%:*}")" = "$(psql -Atc 'select sum(delta) from pgbench_history')"
done
pg_ctl -m fast stop > /dev/null
trap - EXIT
pg_checksums --check > "$SCRATCH/checksums"
grep -q '^Bad checksums: *0$' "$SCRATCH/checksums"
