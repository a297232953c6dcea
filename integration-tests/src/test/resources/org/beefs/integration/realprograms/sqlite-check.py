import sqlite3, sys
path, writers, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
database = sqlite3.connect(path)
assert database.execute('pragma integrity_check').fetchall() == [('ok',)]
assert database.execute('select total from counter').fetchone()[0] == writers * rows * (rows - 1) // 2
assert database.execute('select writer, count(*), sum(row), sum(length(text)) from log group by writer').fetchall() == [
    (writer, rows, rows * (rows - 1) // 2, sum(row * 37 % 5000 for row in range(rows))) for writer in range(writers)]
