#!/usr/bin/env python3
"""Checks proofs of `server solve --proof` with nothing of the server: the rules are those of docs/proofs.md.

    check_proof.py FILE ...
"""
import gzip
import sys
from array import array

sys.setrecursionlimit(10_000)
MAX_COUNTED = 10
# Python 3.9 has no `bit_count`.
count = getattr(int, "bit_count", lambda number: bin(number).count("1"))


class Board:
    """A position's squares as bits of a number, in reading order; one that is never free ends each rank."""

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
        self.width, self.height = len(rows[0]), len(rows)
        self.step = self.width + 1
        self.squares, self.queens, self.free = {}, [0, 0], 0
        for y, row in enumerate(rows):
            for x, content in enumerate(row):
                bit = 1 << y * self.step + x
                self.squares[file_name(x) + str(len(rows) - y)] = bit
                if content == ".":
                    self.free |= bit
                elif content != "*":
                    self.queens["qQ".index(content)] |= bit
        self.mover = "bw".index(side)
        self.rays = {bit: self.rays_from(bit) for bit in self.squares.values()}
        self.masks = {bit: sum(square for ray in rays for square in ray) for bit, rays in self.rays.items()}
        self.near = {bit: sum(ray[0] for ray in rays) for bit, rays in self.rays.items()}
        self.seen = {bit: {} for bit in self.rays}
        self.counted = {}

    def rays_from(self, bit):
        """The squares in each direction from one, the nearest first."""
        y, x = divmod(bit.bit_length() - 1, self.step)
        rays = []
        for dx, dy in [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]:
            ray, column, row = [], x + dx, y + dy
            while 0 <= column < self.width and 0 <= row < self.height:
                ray.append(1 << row * self.step + column)
                column, row = column + dx, row + dy
            if ray:
                rays.append(ray)
        return rays

    def slides(self, square, free):
        """The squares that a queen on a square reaches in one step of a move, ascending."""
        around = free & self.masks[square]
        known = self.seen[square].get(around)
        if known is None:
            found = 0
            for ray in self.rays[square]:
                for bit in ray:
                    if not free & bit:
                        break
                    found |= bit
            known = self.seen[square][around] = tuple(bits(found))
        return known

    def reach(self, start, through):
        """The squares of `start`, and all that kings' steps within `through` lead to from there."""
        step, reached = self.step, start
        while True:
            row = reached | reached << 1 | reached >> 1
            more = reached | (row | row << step | row >> step) & through
            if more == reached:
                return reached
            reached = more

    def longest(self, free, queens):
        """The largest number of moves that these queens can make one after the other."""
        known = self.counted.get((free, queens))
        if known is None:
            known = 0
            for source, target, arrow in self.moves(free, queens):
                left = (free | source) & ~target & ~arrow
                known = max(known, 1 + self.longest(left, queens & ~source | target))
                if known == count(free):
                    break
            self.counted[free, queens] = known
        return known

    def moves(self, free, queens):
        """All moves of queens, ascending by origin, target, arrow; each is three bits."""
        for source in bits(queens):
            for target in self.slides(source, free):
                for arrow in self.slides(target, (free | source) & ~target):
                    yield source, target, arrow

    def is_move(self, move, free, queens):
        """Whether that is one of the moves."""
        source, target, arrow = move
        return (
            source & queens
            and target in self.slides(source, free)
            and arrow in self.slides(target, (free | source) & ~target)
        )

    def walk_length(self, free, queens):
        """The moves of queens that each step to the neighbour with the fewest exits and shoot back."""
        length = 0
        for at in bits(queens):
            while ways := self.near[at] & free:
                exits = [(count(self.near[way] & free) or 99, way) for way in bits(ways)]
                at = min(exits)[1]
                free &= ~at
                length += 1
        return length

    def settle(self, free, queens, spare):
        """Takes regions off the board that no longer matter; a region of one colour becomes spare moves."""
        kept_free, kept, left = 0, [0, 0], queens[0] | queens[1]
        through = free | left
        while left:
            region = self.reach(left & -left, through)
            left &= ~region
            inside, own = free & region, [queens[0] & region, queens[1] & region]
            if not inside:
                continue
            if not (own[0] and own[1]) and count(inside) <= MAX_COUNTED:
                spare += self.longest(inside, own[0]) if own[0] else -self.longest(inside, own[1])
                continue
            kept_free |= inside
            kept = [kept[0] | own[0], kept[1] | own[1]]
        return kept_free, kept, spare

    def is_sure(self, free, queens, spare, mover, color):
        """Whether a colour has more moves, where the other one cannot come, than that one has room."""
        room = self.reach(queens[1 - color], free) & free
        wanted = count(room) - (spare if color == 0 else -spare) + (mover == color)
        safe = free & ~room
        # A walk has at most one move for each square.
        return count(safe) >= wanted and self.walk_length(safe, queens[color]) >= wanted


class Seen:
    """The states that were visited, in a hash table of arrays: 20 bytes for each place, at most 3/4 of which are taken.

    A state is the squares that are free or Black's, those that are free or White's, and a number that is not 0. More
    than 64 squares do not fit into an array's numbers, so lists hold them.
    """

    def __init__(self, squares):
        self.zero = array("Q", [0]) if squares <= 64 else [0]
        self.states = 0
        self.make_room(1 << 10)

    def make_room(self, places):
        self.black, self.white, self.rest = self.zero * places, self.zero * places, array("I", [0]) * places

    def add(self, state):
        """Whether the state is a new one; it is kept from now on."""
        if not self.put(state):
            return False
        self.states += 1
        if self.states * 4 > len(self.rest) * 3:
            old = zip(self.black, self.white, self.rest)
            self.make_room(2 * len(self.rest))
            for known in old:
                if known[2]:
                    self.put(known)
        return True

    def put(self, state):
        (black, white, rest), mask = state, len(self.rest) - 1
        place = hash(state) & mask
        while self.rest[place]:
            if self.black[place] == black and self.white[place] == white and self.rest[place] == rest:
                return False
            place = place + 1 & mask
        self.black[place], self.white[place], self.rest[place] = state
        return True


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
    taken, seen = 0, Seen(board.step * board.height)
    # A stack in place of recursion: what is to be visited, the next one last.
    waiting = [(board.free, board.queens, 0, board.mover)]
    while waiting:
        free, queens, spare, mover = waiting.pop()
        free, queens, spare = board.settle(free, queens, spare)
        if board.is_sure(free, queens, spare, mover, winner_is):
            continue
        if not seen.add((free | queens[0], free | queens[1], (spare + 0x8000) << 1 | mover)):
            continue
        has_spare = spare > 0 if mover == 0 else spare < 0

        def after(move):
            if move is None:
                return free, queens, spare + (-1 if mover == 0 else 1), 1 - mover
            source, target, arrow = move
            moved = list(queens)
            moved[mover] = moved[mover] & ~source | target
            return (free | source) & ~target & ~arrow, moved, spare, 1 - mover

        if mover != winner_is:
            waiting += [after(move) for move in reversed([*board.moves(free, queens[mover]), *[None] * has_spare])]
            continue
        line = next(lines, None)
        taken += 1
        if line is None:
            raise ValueError(f"move {taken} is missing")
        move = None
        if line != "-":
            names = line.replace("/", "-").split("-")
            if len(names) != 3 or not all(name in board.squares for name in names):
                raise ValueError(f"move {taken}: {line!r} is no move of this board")
            move = tuple(board.squares[name] for name in names)
        if not (has_spare if move is None else board.is_move(move, free, queens[mover])):
            raise ValueError(f"move {taken}: {line} is not possible there")
        waiting.append(after(move))
    if next(lines, None) is not None:
        raise ValueError(f"all is proven after {taken} moves, and more follow")
    if told != str(taken):
        raise ValueError(f"it tells of {told} moves, and has {taken}")
    return text, winner, seen.states


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
