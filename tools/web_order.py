"""Puts the functions of a module of WebAssembly into an order that compresses better.

In:  a module. Out: the same module, its functions in another order, and every number that stands for one changed with it.

A compressor of the kind of gzip looks back 32 KiB. A linker puts functions next to each other as it meets them, so the many
small ones that are alike (what frees a list, what reads one object of JSON) are far apart. Here each is followed by the one that
costs least after it, among those that share most runs of bytes with it. Nothing that a program can see changes.

tools/web_order.py FILE
"""
import sys
import zlib
from collections import Counter, defaultdict
from pathlib import Path

from web_leb import CODE, ELEMENTS, EXPORTS, FUNCTIONS, GLOBALS, IMPORTS, START, leb, read_leb, sections

# Bytes of a run that two functions share, and in how many functions it may be before it says nothing.
RUN, COMMON = 5, 300
# How many of the functions that share most runs are tried in each pass, and what a compressor looks back.
TRIED, WINDOW = (30, 30, 60, 30, 60), 32768
# Functions before the next one that it is compared with; the last counts most.
LOOK_BACK = 12


class Reader:
    """Goes through a section, and copies it with the numbers of functions changed."""

    def __init__(self, data, at, number):
        self.data, self.at, self.number, self.out = data, at, number, bytearray()

    def take(self, count):
        self.out += self.data[self.at : self.at + count]
        self.at += count

    def byte(self):
        self.take(1)
        return self.out[-1]

    def value(self):
        """A number, signed or not: its bytes are copied as they are."""
        value, end = read_leb(self.data, self.at)
        self.take(end - self.at)
        return value

    def function(self):
        value, self.at = read_leb(self.data, self.at)
        self.out += leb(self.number(value))

    def values(self, count):
        for _ in range(count):
            self.value()

    def address(self):
        if self.value() & 64:
            self.value()
        self.value()

    def string(self):
        self.take(self.value())

    def expression(self):
        depth = 1
        while depth:
            code = self.byte()
            depth += (code in (0x02, 0x03, 0x04)) - (code == 0x0B)
            self.operands(code)

    def operands(self, code):
        if code in (0x10, 0x12, 0xD2):  # call, return_call, ref.func
            self.function()
        # block, loop, if; br, br_if; memory.size, memory.grow; i32.const, i64.const; ref.null; variables and tables
        elif code in (0x02, 0x03, 0x04, 0x0C, 0x0D, 0x3F, 0x40, 0x41, 0x42, 0xD0) or 0x20 <= code <= 0x26:
            self.value()
        elif code == 0x0E:  # br_table
            self.values(self.value() + 1)
        elif code in (0x11, 0x13):  # call_indirect, return_call_indirect
            self.values(2)
        elif code == 0x1C:  # select with a type
            self.take(self.value())
        elif 0x28 <= code <= 0x3E:  # loads and stores
            self.address()
        elif code == 0x43:  # f32.const
            self.take(4)
        elif code == 0x44:  # f64.const
            self.take(8)
        elif code == 0xFC:
            self.values(self.bulk(self.value()))
        elif code == 0xFD:
            self.vector(self.value())
        elif not (code <= 0x01 or code in (0x05, 0x0B, 0x0F, 0x1A, 0x1B, 0xD1) or 0x45 <= code <= 0xC4):
            sys.exit(f"web_order: no instruction is known that begins with {code:#x}")

    @staticmethod
    def bulk(code):
        if code > 17:
            sys.exit(f"web_order: no instruction is known that begins with 0xfc {code}")
        return (0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1)[code]

    def vector(self, code):
        if code <= 11 or code in (92, 93):  # loads and stores
            self.address()
        elif code in (12, 13):  # v128.const, shuffle
            self.take(16)
        elif 21 <= code <= 34:  # lanes
            self.take(1)
        elif 84 <= code <= 91:  # loads and stores of a lane
            self.address()
            self.take(1)


def bodies(data, start):
    """Where each function is, its length before it left out."""
    count, at = read_leb(data, start)
    found = []
    for _ in range(count):
        size, at = read_leb(data, at)
        found.append((at, at + size))
        at += size
    return found


def imported(data, start):
    """How many functions come from outside: they have the first numbers."""
    reader = Reader(data, start, None)
    functions = 0
    for _ in range(reader.value()):
        reader.string()
        reader.string()
        kind = reader.byte()
        functions += kind == 0
        if kind == 0:
            reader.value()
        elif kind == 3:
            reader.take(2)
        else:
            if kind == 1:
                reader.value()
            reader.values(1 + (reader.value() & 1))
    return functions


def cost(body, before):
    """Bytes that a function takes after what comes before it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, before)
    return len(packer.compress(body)) + len(packer.flush())


def order(functions, most):
    """The functions' numbers, each after what it is like; `most` are tried for a place."""
    runs = [{body[at : at + RUN] for at in range(len(body) - RUN + 1)} for body in functions]
    holders = defaultdict(list)
    for number, own in enumerate(runs):
        for run in own:
            holders[run].append(number)
    holders = {run: numbers for run, numbers in holders.items() if 1 < len(numbers) <= COMMON}
    alone = [cost(body, b"") for body in functions]
    left = set(range(len(functions)))
    found, before = [], b""
    while left:
        shared = Counter()
        for ago, number in enumerate(found[: -LOOK_BACK - 1 : -1]):
            for run in runs[number]:
                for other in holders.get(run, ()):
                    if other in left:
                        shared[other] += LOOK_BACK - ago
        alike = sorted(shared, key=lambda other: (-shared[other] / len(functions[other]), other))[:most]
        tried = alike or [min(left)]
        best = min(tried, key=lambda other: (cost(functions[other], before) / alone[other], other))
        left.discard(best)
        found.append(best)
        before = (before + functions[best])[-WINDOW:]
    return found


def function(data, start, end, number):
    """A function's bytes, with others' numbers changed."""
    reader = Reader(data, start, number)
    for _ in range(reader.value()):
        reader.value()
        reader.take(1)
    reader.expression()
    if reader.at != end:
        sys.exit("web_order: a function does not end where it should; its instructions are not all known")
    return leb(len(reader.out)) + bytes(reader.out)


def elements(reader):
    """A part of the table of functions, in any of its eight forms."""
    form = reader.value()
    if not form & 1:
        if form & 2:
            reader.value()
        reader.expression()
    if form & 3:
        reader.take(1)
    for _ in range(reader.value()):
        if form & 4:
            reader.expression()
        else:
            reader.function()


def export(reader):
    reader.string()
    if reader.byte() == 0:
        reader.function()
    else:
        reader.value()


def variable(reader):
    reader.take(2)
    reader.expression()


def reordered(data, most):
    """The module with its functions in another order."""
    places = {kind: (start, end) for kind, start, end in sections(data)}
    outside = imported(data, places[IMPORTS][0])
    code = bodies(data, places[CODE][0])
    ordered = order([data[start:end] for start, end in code], most)
    new_numbers = {outside + old: outside + new for new, old in enumerate(ordered)}

    def number(old):
        return new_numbers.get(old, old)

    out = bytearray(data[:8])
    for kind, start, end in sections(data):
        reader = Reader(data, start, number)
        section = data[start:end]
        if kind == FUNCTIONS:
            count = reader.value()
            types = [leb(reader.value()) for _ in range(count)]
            section = leb(count) + b"".join(types[old] for old in ordered)
        elif kind == CODE:
            section = leb(len(code)) + b"".join(function(data, *code[old], number) for old in ordered)
        elif kind == START:
            reader.function()
            section = bytes(reader.out)
        elif kind in PARTS:
            for _ in range(reader.value()):
                PARTS[kind](reader)
            section = bytes(reader.out)
        out += bytes([kind]) + leb(len(section)) + section
    return bytes(out)


def main(path):
    """A few passes, each over what the one before left; the smallest result is kept."""
    data = path.read_bytes()
    results = []
    for most in TRIED:
        data = reordered(data, most)
        results.append(data)
    path.write_bytes(min(results, key=lambda result: len(zlib.compress(result, 9))))


# Sections that are lists of what may name functions.
PARTS = {EXPORTS: export, GLOBALS: variable, ELEMENTS: elements}

if __name__ == "__main__":
    main(Path(sys.argv[1]))
