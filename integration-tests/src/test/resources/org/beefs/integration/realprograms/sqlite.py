# Writers on several mounts share a database: each adds rows one by one, and adds to one counter.
import sqlite3, sys
path, mode, writer, rows = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
database = sqlite3.connect(path, timeout=60, isolation_level=None)
assert database.execute('pragma journal_mode = ' + mode).fetchone() == (mode,)
for row in range(rows):
    database.execute('begin immediate')
    total = database.execute('select total from counter').fetchone()[0]
    database.execute('insert into log values (?, ?, ?)', (writer, row, b'x' * (row * 37 % 5000)))
    database.execute('update counter set total = ?', (total + row,))
    database.execute('commit')
