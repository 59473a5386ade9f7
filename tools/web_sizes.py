"""Compares sizes on standard input with those of a file: fails when one has grown by more than 3 %.

tools/web sizes > crates/web/sizes.txt   takes new sizes, on purpose
"""
import sys

GROWTH = 1.03


def read(lines):
    return {name: int(size) for name, size in (line.split() for line in lines if line.strip())}


def main():
    now = read(sys.stdin)
    with open(sys.argv[1], encoding="utf-8") as file:
        known = read(file)
    failed = False
    for name, size in now.items():
        before = known.get(name)
        grown = before is not None and size > before * GROWTH
        failed |= grown
        print(f"{name:12} {size / 1024:7.1f} KB" + (f"  was {before / 1024 if before else 0:.1f} KB" if grown else ""))
    if failed:
        sys.exit("a size has grown by more than 3 %: make it smaller, or take it into crates/web/sizes.txt")


main()
