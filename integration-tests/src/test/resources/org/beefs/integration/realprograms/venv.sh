# A virtual environment with pip, into which a wheel is installed.
/usr/bin/python3 -m venv environment
environment/bin/python - <<'PY'
import zipfile
with zipfile.ZipFile('comb-1.0-py3-none-any.whl', 'w') as wheel:
    wheel.writestr('comb.py', 'def cells(n): return n * n\ndef main(): print(cells(6))\n')
    info = 'comb-1.0.dist-info/'
    wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\nName: comb\nVersion: 1.0\n')
    wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n')
    wheel.writestr(info + 'entry_points.txt', '[console_scripts]\ncomb = comb:main\n')
    wheel.writestr(info + 'RECORD', ''.join(f'{name},,\n' for name in wheel.namelist()))
PY
environment/bin/pip -q --disable-pip-version-check install --no-index ./comb-1.0-py3-none-any.whl
test "$(environment/bin/comb)" = 36
test "$(environment/bin/python -c 'import comb; print(comb.__file__)')" = "$(echo "$PWD"/environment/lib/python3*/site-packages/comb.py)"
environment/bin/pip --disable-pip-version-check check > /dev/null
environment/bin/pip -q --disable-pip-version-check uninstall -y comb
test ! -e environment/bin/comb
