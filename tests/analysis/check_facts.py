#!/usr/bin/env python3
"""Checks the sentences of annotated records (docs/analysis.md) without any of the server's code.

    check_facts.py RECORD...

Every game is replayed on a board of our own, and each sentence recomputed. The moves that a side can make alone are
counted by a search that may give up: then the sentence is open, neither true nor false. A sentence about moves is also
held against the rest of the game as long as the winner makes safe moves, and against all play where few squares are
free. Prints the number of sentences of each kind, and each false one; the exit status is 1 if one is false or not
understood.
"""

import json
import re
import sys
from collections import Counter
from itertools import chain, takewhile

MIN_CLOSED, MAX_ENCLOSED, MIN_LOST = 5, 5, 4
BUDGET = 20_000  # positions to search for each count
MAX_FREE = 11  # free squares of positions that are searched to the end of the game
COLORS = ("Black", "White")
OTHER = {"Black": "White", "White": "Black"}
TURNS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]

MOVE = r"(?P<better>[a-z]+\d+-[a-z]+\d+/[a-z]+\d+)"
AFTER = rf"(?:After {MOVE} )?"
QUEEN = r"(?P<color>Black|White)'s queen on (?P<square>[a-z]+\d+)"
WAY = r"(?: unless (?P<way>Black|White) (?:makes|made) way)?\."
KINDS = {
    "moves": rf"{AFTER}(?P<color>Black|White) (?:is|would have been) sure of (?P<sure>\d+) more moves? and "
    r"(?:can hold|could have held) (?P<loser>Black|White) to (?P<held>\d+|none), enough to win\.",
    "no moves": rf"{AFTER}(?P<loser>Black|White) (?:can|could) no longer (?:move|have moved)\.",
    "region": rf"(?:The (?P<start>arrow|move) closes|{MOVE} would have closed) a region of (?P<squares>\d+) squares "
    r"that only (?P<color>Black|White) (?:can|could) reach(?: unless it lets? (?P<other>Black|White) in)?\.",
    "blocked": rf"{AFTER}{QUEEN} (?:can|could) no longer (?:move|have moved){WAY}",
    "shut in": rf"{AFTER}{QUEEN} (?:is|would have been) shut in with (?P<squares>\d+) squares?{WAY}",
    "reach": rf"After {MOVE} {QUEEN} would still reach (?P<squares>\d+) squares\.",
    **{
        kind: rf"After {MOVE} (?P<color>Black|White) would have {own} and (?P<other>Black|White){theirs} "
        r"(?P<theirs>\d+); after the move played it is (?P<left>\d+) to (?P<left_theirs>\d+)\."
        for kind, own, theirs in (
            ("territory", r"been nearer to (?P<own>\d+) squares?", " to"),
            ("steps", r"been nearer, in single steps, to (?P<own>\d+) squares?", " to"),
            ("three steps", r"been within three steps of (?P<own>\d+) squares?", " of"),
            ("ways", r"had (?P<own>\d+) ways? to move a queen", ""),
        )
    },
}


class Board:
    """A grid with holes; squares are (row, column) from the top left corner."""

    def __init__(self, columns, rows, holes):
        self.columns, self.rows = columns, rows
        self.squares = {self.at(i, columns) for i in range(columns * rows)} - {self.at(i, columns) for i in holes}
        self.rays = {square: list(self.rays_from(square)) for square in self.squares}
        self.near = {square: {ray[0] for ray in rays} for square, rays in self.rays.items()}

    @staticmethod
    def at(number, columns):
        return number // columns, number % columns

    def rays_from(self, square):
        for down, right in TURNS:
            ray, at = [], (square[0] + down, square[1] + right)
            while at in self.squares:
                ray.append(at)
                at = (at[0] + down, at[1] + right)
            if ray:
                yield ray

    def read(self, name):
        file, rank = re.fullmatch(r"([a-z]+)(\d+)", name).groups()
        column = 0
        for letter in file:
            column = column * 26 + ord(letter) - ord("a") + 1
        return self.rows - int(rank), column - 1

    def read_move(self, text):
        return tuple(self.read(name) for name in re.split("[-/]", text))

    def sees(self, square, free):
        for ray in self.rays[square]:
            for at in ray:
                if at not in free:
                    break
                yield at

    def flood(self, seeds, through):
        """Everything in `through` that steps from the seeds reach."""
        found, waiting = set(), list(seeds)
        while waiting:
            new = (self.near[waiting.pop()] & through) - found
            found |= new
            waiting.extend(new)
        return found


class State:
    def __init__(self, board, free, queens, mover):
        self.board, self.free, self.queens, self.mover = board, frozenset(free), queens, mover
        self.live = self.free | queens["Black"] | queens["White"]

    def legal(self):
        for start in self.queens[self.mover]:
            for to in self.board.sees(start, self.free):
                for arrow in self.board.sees(to, self.free | {start}):
                    if arrow != to:
                        yield start, to, arrow

    def play(self, move):
        start, to, arrow = move
        ok = start in self.queens[self.mover] and to in self.board.sees(start, self.free)
        free = (self.free | {start}) - {to}
        if not ok or arrow not in self.board.sees(to, free):
            raise ValueError("an illegal move")
        queens = {**self.queens, self.mover: (self.queens[self.mover] - {start}) | {to}}
        return State(self.board, free - {arrow}, queens, OTHER[self.mover])

    def reach(self, color):
        return self.board.flood(self.queens[color], self.free)

    def areas(self):
        left = set(self.free)
        while left:
            square = left.pop()
            area = self.board.flood([square], self.free) | {square}
            yield area
            left -= area

    def queen_reach(self, queen, color):
        """The free squares that a queen can come to while the other side's queens stay."""
        return self.board.flood([queen], self.free | self.queens[color]) & self.free

    def region(self, square):
        return self.board.flood([square], self.live) | {square}

    def moves(self, square):
        return self.board.sees(square, self.free)

    def steps(self, square):
        return self.board.near[square] & self.free

    def distances(self, color, moves):
        found, layer, distance = {}, set(self.queens[color]), 0
        while layer:
            distance += 1
            layer = set(chain.from_iterable(map(moves, layer))) - found.keys()
            found.update(dict.fromkeys(layer, distance))
        return found

    def nearer(self, color, moves=None):
        own, theirs = (self.distances(side, moves or self.moves) for side in (color, OTHER[color]))
        return sum(distance < theirs.get(square, distance + 1) for square, distance in own.items())


class Fill:
    """The largest number of moves that queens can make alone; `doors` must shoot back when they leave."""

    def __init__(self, board):
        self.board, self.left, self.known = board, BUDGET, {}

    def bounds(self, free, queens, doors):
        low = high = 0
        left = set(queens)
        while left:
            part = self.board.flood([min(left)], free | queens) | {min(left)}
            one = self.part(frozenset(part & free), frozenset(part & queens), frozenset(part & doors))
            low, high = low + one[0], high + one[1]
            left -= part
        return low, high

    def part(self, free, queens, doors):
        key = (free, queens, doors)
        if key in self.known:
            return self.known[key]
        low, ceiling = 0, 0
        if self.left <= 0:
            return self.walk(free, queens), len(free)
        self.left -= 1
        for start, to, arrow in self.moves(free, queens, doors):
            landed, rest = (queens - {start}) | {to}, (free | {start}) - {to, arrow}
            rest = frozenset(self.board.flood(landed, rest))
            if 1 + len(rest) <= low:
                continue
            one = self.bounds(rest, landed, doors & landed)
            low, ceiling = max(low, 1 + one[0]), max(ceiling, 1 + one[1])
            if low == len(free):
                break
        found = low, max(low, ceiling)
        if self.left > 0 or low == ceiling:
            self.known[key] = found
        return found

    def exits(self, square, free):
        return len(self.board.near[square] & free) or 9

    def walk(self, free, queens):
        """A lower bound: steps to the neighbour with the fewest exits, and shoots back."""
        made, free = 0, set(free)
        for at in sorted(queens):
            while ways := self.board.near[at] & free:
                at = min(sorted(ways), key=lambda way: self.exits(way, free))
                free.remove(at)
                made += 1
        return made

    def moves(self, free, queens, doors):
        """All moves: first, steps that shoot back, to the square with the fewest exits."""
        steps = sorted((self.exits(to, free), start, to) for start in queens for to in self.board.near[start] & free)
        yield from ((start, to, start) for _, start, to in steps)
        for start in sorted(queens):
            for to in self.board.sees(start, free):
                for arrow in self.board.sees(to, (free | {start}) - {to}):
                    is_known = arrow == start and to in self.board.near[start]
                    if not is_known and (arrow == start or start not in doors):
                        yield start, to, arrow


def wins(state, known):
    """Whether the side to move wins, by trying everything."""
    key = (state.free, state.queens["Black"], state.queens["White"], state.mover)
    if key not in known:
        known[key] = any(not wins(state.play(move), known) for move in state.legal())
    return known[key]


class Checker:
    def __init__(self):
        self.counts, self.how, self.false = Counter(), Counter(), []

    def game(self, events, name):
        state = board = None
        rest = []
        for number, event in enumerate(events):
            if event["event"] == "start":
                board, state = start(event)
                # A void game is followed by another.
                game = takewhile(lambda later: later["event"] != "start", events[number + 1 :])
                rest = [board.read_move(later["text"]) for later in game if later["event"] == "move"]
            elif event["event"] == "move":
                before, move = state, board.read_move(event["text"])
                state = before.play(move)
                facts = (event.get("analysis") or {}).get("facts") or []
                self.how["moves with sentences"] += bool(facts)
                if len(facts) > 2:
                    self.false.append(f"{name}: ply {event['ply']}: more than two sentences")
                for text in facts:
                    found = self.sentence(text, before, move, rest[event["ply"] :])
                    if found:
                        self.false.append(f"{name}: ply {event['ply']}: {text} {found}")

    def sentence(self, text, before, move, later):
        """What is false about a sentence, if anything."""
        for kind, pattern in KINDS.items():
            match = re.fullmatch(pattern, text)
            if match:
                break
        else:
            self.counts["not understood"] += 1
            return "(not understood)"
        self.counts[kind] += 1
        facts = match.groupdict()
        played, after = before.play(move), None
        is_better = facts.get("better") is not None
        try:
            end = before.board.read_move(facts["better"]) if is_better else move
            after = before.play(end)
        except ValueError:
            return "(the better move is illegal)"
        check = getattr(self, kind.replace(" ", "_"))
        return check(facts, before, after, end, played if is_better else later)

    def moves(self, facts, before, after, _, played):
        color, sure = facts["color"], int(facts["sure"])
        held = 0 if facts["held"] == "none" else int(facts["held"])
        if facts["loser"] != OTHER[color]:
            return "(one side twice)"
        if sure < held + (after.mover == color):
            return "(that is not enough to win)"
        board, theirs = before.board, frozenset(after.reach(OTHER[color]))
        safe = frozenset(after.reach(color) - theirs)
        touched = set(chain.from_iterable(board.near[at] for at in theirs | after.queens[OTHER[color]]))
        doors = after.queens[color] & touched
        low, high = Fill(board).bounds(safe, after.queens[color], doors)
        if high < sure:
            return f"(it is sure of {high} at most)"
        lowest, highest = Fill(board).bounds(theirs, after.queens[OTHER[color]], frozenset())
        if lowest > held:
            return f"(the other side can make {lowest})"
        closed = low >= sure and (highest <= held or len(theirs) <= held)
        self.how["moves: counted" if closed else "moves: open"] += 1
        if len(after.free) <= MAX_FREE:
            self.how["moves: searched to the end of the game"] += 1
            if wins(after, {}) != (after.mover == color):
                return "(the other side wins)"
        if isinstance(played, list) and self.followed(played, after.mover, color, safe, doors) > held:
            return "(more moves followed)"
        return None

    def followed(self, rest, mover, color, safe, doors):
        """How many moves the other side made in the game until the first that was not among the safe ones."""
        made = 0
        for start, to, arrow in rest:
            if mover != color:
                made += 1
            elif to not in safe or arrow != start and (arrow not in safe or start in doors):
                break
            doors, mover = doors - {start}, OTHER[mover]
        self.how["moves: held in the game"] += bool(made)
        return made

    def no_moves(self, facts, before, after, *_):
        loser = facts["loser"]
        return "(it can)" if after.mover != loser or after.reach(loser) else None

    def region(self, facts, before, after, move, _):
        color, squares, is_door = facts["color"], int(facts["squares"]), facts["other"] is not None
        other, board = OTHER[color], before.board
        if is_door and facts["other"] != other or facts["start"] and is_door != (facts["start"] == "move"):
            return "(the parts do not fit)"
        was_open = before.reach(other)
        for area in after.areas():
            near = set(chain.from_iterable(board.near[at] for at in area))
            if len(area) != squares or near & after.queens[other] or not near & after.queens[color]:
                continue
            region = after.region(min(area))
            if is_door != bool(region & after.queens[other]) or len(area & was_open) < MIN_CLOSED:
                continue
            # Without the arrow it is open.
            opened = board.flood(region, after.live | {move[2]}) & after.queens[other]
            if is_door or opened:
                return None
        return "(there is no such region)"

    def queen(self, facts, before, after, move, squares):
        color, at = facts["color"], before.board.read(facts["square"])
        if at not in after.queens[color]:
            return "(there is no such queen)"
        reach = len(after.queen_reach(at, color))
        if reach != squares:
            return f"(it reaches {reach})"
        return None

    def shut_in(self, facts, before, after, move, _):
        squares = int(facts.get("squares") or 0)
        found = self.queen(facts, before, after, move, squares)
        if found:
            return found
        at = before.board.read(facts["square"])
        was = move[0] if at == move[1] and facts["color"] == before.mover else at
        lost = len(before.queen_reach(was, facts["color"])) - squares
        if squares > MAX_ENCLOSED or lost < MIN_LOST:
            return f"(too many squares, or too few lost: {lost})"
        sealed = len(after.region(at) & after.free) == squares
        way = None if sealed else OTHER[facts["color"]]
        return None if facts["way"] == way else "(who can make way is wrong)"

    blocked = shut_in

    def reach(self, facts, before, after, move, _):
        return self.queen(facts, before, after, move, int(facts["squares"]))

    def territory(self, facts, before, after, _, played, count=State.nearer):
        color, other = facts["color"], facts["other"]
        if (color, other) != (before.mover, OTHER[before.mover]):
            return "(the sides do not fit)"
        found = [count(state, side) for state in (after, played) for side in (color, other)]
        told = [int(facts[key]) for key in ("own", "theirs", "left", "left_theirs")]
        return None if found == told else f"(it is {found})"

    def steps(self, *arguments):
        return self.territory(*arguments, lambda state, color: state.nearer(color, state.steps))

    def three_steps(self, *arguments):
        def within(state, color):
            return sum(distance <= 3 for distance in state.distances(color, state.steps).values())

        return self.territory(*arguments, within)

    def ways(self, *arguments):
        def ways(state, color):
            return sum(1 for queen in state.queens[color] for _ in state.moves(queen))

        return self.territory(*arguments, ways)


def start(event):
    shape = event["board"]
    board = Board(shape["columns"], shape["rows"], shape["holes"])
    queens = {
        color: frozenset(board.at(i, board.columns) for i in event["queens"][color.lower()]) for color in COLORS
    }
    ranks, side = event["position"].split()[:2]
    free = set()
    for row, rank in enumerate(ranks.split("/")):
        column = 0
        for run, stone in re.findall(r"(\d+)|(\D)", rank):
            free.update((row, column + i) for i in range(int(run or 0)))
            column += int(run or 1)
    return board, State(board, free, queens, {"b": "Black", "w": "White"}[side])


def main(paths):
    checker = Checker()
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            checker.game([json.loads(line) for line in lines if line.strip()], path)
    for name, count in [*checker.counts.items(), *sorted(checker.how.items())]:
        print(f"{count:6}  {name}")
    print(f"{sum(checker.counts.values()):6}  sentences, {len(checker.false)} false")
    for line in checker.false:
        print(line)
    return 1 if checker.false else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
