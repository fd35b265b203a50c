"""Writes PNG files again with at most 256 colours, the most frequent ones: indexed.py FILE..."""

import struct
import sys
import zlib
from collections import Counter


def chunks(data):
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        yield kind, data[at + 8 : at + 8 + size]
        at += size + 12


def rows(width, height, depth, packed):
    """Undoes the filters of https://www.w3.org/TR/png-3/#9Filters."""
    size = width * depth
    before = bytearray(size)
    for top in range(0, (size + 1) * height, size + 1):
        way, row = packed[top], bytearray(packed[top + 1 : top + 1 + size])
        for at in range(size):
            left = row[at - depth] if at >= depth else 0
            corner = before[at - depth] if at >= depth else 0
            up = before[at]
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda value: abs(guess - value))
            row[at] = (row[at] + (0, left, up, (left + up) // 2, nearest)[way]) & 255
        yield row
        before = row


def indexed(data):
    parts = list(chunks(data))
    width, height, bits, kind = struct.unpack(">IIBB", parts[0][1][:10])
    depth = {2: 3, 6: 4}[kind]
    assert bits == 8, "eight bits a colour"
    packed = zlib.decompress(b"".join(part for name, part in parts if name == b"IDAT"))
    pixels = [
        [tuple(row[at : at + 3]) for at in range(0, len(row), depth)] for row in rows(width, height, depth, packed)
    ]
    counts = Counter(pixel for row in pixels for pixel in row)
    palette = [color for color, _ in counts.most_common(256)]
    distance = lambda a, b: sum((x - y) ** 2 for x, y in zip(a, b))
    number = {color: min(range(len(palette)), key=lambda at: distance(palette[at], color)) for color in counts}
    body = b"".join(b"\0" + bytes(number[pixel] for pixel in row) for row in pixels)
    told = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", bytes(part for color in palette for part in color)),
        (b"IDAT", zlib.compress(body, 9)),
        (b"IEND", b""),
    ]
    written = [struct.pack(">I", len(part)) + name + part + struct.pack(">I", zlib.crc32(name + part)) for name, part in told]
    return data[:8] + b"".join(written)


for path in sys.argv[1:]:
    with open(path, "rb") as file:
        data = indexed(file.read())
    with open(path, "wb") as file:
        file.write(data)
