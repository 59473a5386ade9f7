"""Compares sizes on standard input with those of a file: fails when one has grown by more than 3 %.

tools/web_sizes.py FILE        compares
tools/web_sizes.py FILE take   takes the new sizes, on purpose; what was not built keeps its old one
"""
import sys

GROWTH = 1.03
HEAD = """\
# What a first visit loads: bytes, each file compressed by `gzip -9` on its own.
# javascript: the tag and its worker. core, webgl, full: a module of WebAssembly, its JavaScript, and the above.
"""


def read(lines):
    words = (line.split() for line in lines if line.strip() and not line.startswith("#"))
    return {name: int(size) for name, size in words}


def main():
    now = read(sys.stdin)
    with open(sys.argv[1], encoding="utf-8") as file:
        known = read(file)
    if sys.argv[2:] == ["take"]:
        with open(sys.argv[1], "w", encoding="utf-8") as file:
            file.write(HEAD + "".join(f"{name} {size}\n" for name, size in {**known, **now}.items()))
        return
    failed = False
    for name, size in now.items():
        before = known.get(name)
        grown = before is not None and size > before * GROWTH
        failed |= grown
        print(f"{name:12} {size / 1024:7.1f} KB" + (f"  was {before / 1024 if before else 0:.1f} KB" if grown else ""))
    if failed:
        sys.exit("a size has grown by more than 3 %: make it smaller, or take it: tools/web sizes take")


main()
