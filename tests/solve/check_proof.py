#!/usr/bin/env python3
"""Checks proofs of `server solve --proof` with nothing of the server: the rules are those of docs/proofs.md.

    check_proof.py FILE ...
"""
import gzip
import sys

sys.setrecursionlimit(10_000)
MAX_COUNTED = 10


class Board:
    """The squares of a position without an arrow, in reading order, with what a queen sees from each."""

    def __init__(self, text):
        placement, side = text.split()[:2]
        rows = []
        for rank in placement.split("/"):
            row, digits = [], ""
            for letter in rank + " ":
                if letter.isdigit():
                    digits += letter
                    continue
                row += "." * int(digits or 0)
                digits = ""
                if letter not in "qQ* ":
                    raise ValueError(f"unexpected {letter!r} in the position")
                row += letter.strip()
            rows.append(row)
        if len({len(row) for row in rows}) != 1 or not rows[0] or side not in ("b", "w"):
            raise ValueError("the ranks are not equally long, or nobody is to move")
        self.names, index = [], {}
        self.queens, self.free = [0, 0], 0
        for y, row in enumerate(rows):
            for x, content in enumerate(row):
                if content != "*":
                    bit = 1 << len(self.names)
                    index[x, y] = len(self.names)
                    self.names.append(file_name(x) + str(len(rows) - y))
                    if content == ".":
                        self.free |= bit
                    else:
                        self.queens["qQ".index(content)] |= bit
        self.mover = "bw".index(side)
        self.numbers = {name: number for number, name in enumerate(self.names)}
        steps = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
        self.rays, self.near = [], []
        for x, y in index:
            rays = []
            for dx, dy in steps:
                ray, at = [], (x + dx, y + dy)
                while at in index:
                    ray.append(1 << index[at])
                    at = at[0] + dx, at[1] + dy
                if ray:
                    rays.append(ray)
            self.rays.append(rays)
            self.near.append(sum(ray[0] for ray in rays))
        self.counted = {}

    def slides(self, square, free):
        """The squares that a queen on a square reaches in one step of a move."""
        seen = 0
        for ray in self.rays[square]:
            for bit in ray:
                if not free & bit:
                    break
                seen |= bit
        return seen

    def reach(self, start, through):
        """The squares of `start`, and all that kings' steps within `through` lead to from there."""
        reached = waiting = start
        while waiting:
            low = waiting & -waiting
            new = self.near[low.bit_length() - 1] & through & ~reached
            reached |= new
            waiting = (waiting ^ low) | new
        return reached

    def longest(self, free, queens):
        """The largest number of moves that these queens can make one after the other."""
        known = self.counted.get((free, queens))
        if known is None:
            known = 0
            for source, target, arrow in self.moves(free, queens):
                left = (free | source) & ~target & ~arrow
                known = max(known, 1 + self.longest(left, queens & ~source | target))
                if known == free.bit_count():
                    break
            self.counted[free, queens] = known
        return known

    def moves(self, free, queens):
        """All moves of queens, ascending by origin, target, arrow; each is three bits."""
        for source in bits(queens):
            for target in bits(self.slides(source.bit_length() - 1, free)):
                lifted = (free | source) & ~target
                for arrow in bits(self.slides(target.bit_length() - 1, lifted)):
                    yield source, target, arrow

    def walk_length(self, free, queens):
        """The moves of queens that each step to the neighbour with the fewest exits and shoot back."""
        length = 0
        for queen in bits(queens):
            at = queen.bit_length() - 1
            while ways := self.near[at] & free:
                exits = [((self.near[way.bit_length() - 1] & free).bit_count() or 99, way) for way in bits(ways)]
                way = min(exits)[1]
                free &= ~way
                length += 1
                at = way.bit_length() - 1
        return length

    def settle(self, free, queens, spare):
        """Takes regions off the board that no longer matter; a region of one colour becomes spare moves."""
        kept_free, kept, left = 0, [0, 0], queens[0] | queens[1]
        while left:
            region = self.reach(left & -left, free | queens[0] | queens[1])
            left &= ~region
            inside, own = free & region, [queens[0] & region, queens[1] & region]
            if not inside:
                continue
            if not (own[0] and own[1]) and inside.bit_count() <= MAX_COUNTED:
                spare += self.longest(inside, own[0]) if own[0] else -self.longest(inside, own[1])
                continue
            kept_free |= inside
            kept = [kept[0] | own[0], kept[1] | own[1]]
        return kept_free, kept[0], kept[1], spare

    def is_sure(self, state, mover, color):
        """Whether a colour has more moves, where the other one cannot come, than that one has room."""
        free, *queens, spare = state
        room = self.reach(queens[1 - color], free) & free
        surplus = self.walk_length(free & ~room, queens[color]) + (spare if color == 0 else -spare) - room.bit_count()
        return surplus > 0 or surplus == 0 and mover != color


def bits(number):
    while number:
        low = number & -number
        yield low
        number ^= low


def file_name(x):
    name = ""
    while x >= 0:
        name = chr(ord("a") + x % 26) + name
        x = x // 26 - 1
    return name


def check(lines):
    """Walks through a proof and returns its position, winner, and the number of positions in it."""
    lines = iter(lines)
    if next(lines, "") != "amazons-proof 1":
        raise ValueError("not a proof")
    fields = [next(lines, "").partition(" ") for _ in range(3)]
    if [name for name, _, _ in fields] != ["position", "winner", "moves"]:
        raise ValueError("the heading is not complete")
    text, winner, told = (value for _, _, value in fields)
    if winner not in ("black", "white"):
        raise ValueError(f"{winner!r} is no colour")
    board, winner_is = Board(text), ["black", "white"].index(winner)
    taken, seen = 0, set()
    # A stack in place of recursion: what is to be visited, the next one last.
    waiting = [(board.free, board.queens, 0, board.mover)]
    while waiting:
        free, queens, spare, mover = waiting.pop()
        state = board.settle(free, queens, spare)
        if board.is_sure(state, mover, winner_is) or (state, mover) in seen:
            continue
        seen.add((state, mover))
        free, *queens, spare = state
        has_spare = spare > 0 if mover == 0 else spare < 0

        def after(move):
            if move is None:
                return free, queens, spare + (-1 if mover == 0 else 1), 1 - mover
            source, target, arrow = move
            moved = list(queens)
            moved[mover] = moved[mover] & ~source | target
            return (free | source) & ~target & ~arrow, moved, spare, 1 - mover

        moves = list(board.moves(free, queens[mover])) + [None] * has_spare
        if mover != winner_is:
            waiting += [after(move) for move in reversed(moves)]
            continue
        line = next(lines, None)
        taken += 1
        if line is None:
            raise ValueError(f"move {taken} is missing")
        move = None
        if line != "-":
            squares = line.replace("/", "-").split("-")
            if len(squares) != 3 or not all(square in board.numbers for square in squares):
                raise ValueError(f"move {taken}: {line!r} is no move of this board")
            move = tuple(1 << board.numbers[square] for square in squares)
        if move not in moves:
            raise ValueError(f"move {taken}: {line} is not possible there")
        waiting.append(after(move))
    if next(lines, None) is not None:
        raise ValueError(f"all is proven after {taken} moves, and more follow")
    if told != str(taken):
        raise ValueError(f"it tells of {told} moves, and has {taken}")
    return text, winner, len(seen)


def main():
    failed = False
    for path in sys.argv[1:]:
        try:
            with gzip.open(path, "rt", encoding="ascii") as file:
                text, winner, positions = check(line.rstrip("\n") for line in file)
            print(f"{path}: {winner} wins {text}: {positions} positions")
        except (OSError, EOFError, ValueError) as error:
            print(f"{path}: no proof: {error}", file=sys.stderr)
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
