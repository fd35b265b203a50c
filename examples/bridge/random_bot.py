"""Plays random moves: a whole program for the Amazons engine protocol (docs/protocol.md), on every board."""
import random
import sys


def read(words):
    """A position text, then moves: the squares by row and column, from the top; the side to move; the number of rows."""
    rows, side = words[0].replace("/", " / ").split(), words[1]
    board, y, x = {}, 0, 0
    for part in "".join(c if c.isdigit() else f" {c} " for c in " ".join(rows)).split():
        if part == "/":
            y, x = y + 1, 0
            continue
        for stone in "." * int(part) if part.isdigit() else part:
            board[y, x], x = stone, x + 1
    for move in words[words.index("moves") + 1:] if "moves" in words else []:
        start, end, arrow = (square(name, y + 1) for name in move.replace("/", "-").split("-"))
        board[end], board[start] = board[start], "."
        board[arrow] = "*"
        side = "b" if side == "w" else "w"
    return board, "Q" if side == "w" else "q", y + 1


def square(name, rows):
    letters, column = name.rstrip("0123456789"), 0
    for letter in letters:
        column = column * 26 + ord(letter) - 96
    return rows - int(name[len(letters):]), column - 1


def name(place, rows):
    letters, column = "", place[1] + 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(97 + letter) + letters
    return f"{letters}{rows - place[0]}"


def slides(board, start):
    for dy, dx in ((a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b):
        y, x = start[0] + dy, start[1] + dx
        while board.get((y, x)) == ".":
            yield y, x
            y, x = y + dy, x + dx


def choose(board, queen, rows):
    moves = []
    for start in [place for place, stone in board.items() if stone == queen]:
        board[start] = "."
        moves += [(start, end, arrow) for end in slides(board, start) for arrow in slides(board, end)]
        board[start] = queen
    return "{}-{}/{}".format(*(name(place, rows) for place in random.choice(moves))) if moves else "none"


position = None
for line in sys.stdin:
    words = line.split() or [""]
    if words[0] == "aep":
        print("id name random bot\naepok 1", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position" and words[1:2] == ["fen"]:
        position = read(words[2:])
    elif words[0] == "go" and position:
        print("info value 0.5\nbestmove", choose(*position), flush=True)
    elif words[0] == "quit":
        break
