"""Compares the server's legal moves with those of Fairy-Stockfish (pip install pyffish) on random 10x10 positions.

Games of uniformly random moves, played by pyffish alone, give the positions: every ply of every game, from the first
move to the position where the side to move is blocked. The server must list exactly the same moves in each.
"""

import argparse
import random
import subprocess
import sys

import pyffish

VARIANT = "amazons"
BATCH = 500
SHOWN = 10


def positions(count, rng):
    """Yields position texts with pyffish's moves in our notation, game after game."""
    made = 0
    while True:
        fen = pyffish.start_fen(VARIANT)
        while True:
            moves = pyffish.legal_moves(VARIANT, fen, [])
            yield fen, sorted(our_notation(move) for move in moves)
            made += 1
            if made == count:
                return
            if not moves:
                break
            fen = pyffish.get_fen(VARIANT, fen, [rng.choice(moves)])


def our_notation(move):
    """Turns pyffish's `d1a1,a1b1` (queen's way, arrow's way) into `d1-a1/b1`."""
    queen, arrow = move.split(",")
    start, target = squares(queen)
    shot_from, hit = squares(arrow)
    if shot_from != target:
        raise ValueError(f"pyffish shoots from elsewhere: {move}")
    return f"{start}-{target}/{hit}"


def squares(pair):
    """Splits `d1a10` into `d1` and `a10`."""
    second = next(i for i in range(1, len(pair)) if pair[i].isalpha())
    return pair[:second], pair[second:]


def server_moves(server, fens):
    """Asks the server for the moves of each position: lists of moves, in the order of the positions."""
    done = subprocess.run(
        [server, "moves", "--stdin"], input="".join(f"{fen}\n" for fen in fens), capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"{server} moves --stdin: exit status {done.returncode}\n{done.stderr}")
    lines = done.stdout.splitlines()
    if len(lines) != len(fens):
        sys.exit(f"{server} moves --stdin: {len(fens)} positions in, {len(lines)} lines out\n{done.stderr}")
    answers = []
    for fen, line in zip(fens, lines):
        count, _, text = line.partition("\t")
        moves = text.split()
        if count != str(len(moves)):
            sys.exit(f"{fen}\n  the server counts {count} moves and lists {len(moves)}")
        answers.append(moves)
    return answers


def explain(fen, ours, theirs):
    """Says how two move lists of one position differ."""
    print(f"{fen}\n  {len(ours)} moves here, {len(theirs)} in pyffish")
    for who, moves in (("only here", set(ours) - set(theirs)), ("only in pyffish", set(theirs) - set(ours))):
        if moves:
            more = f" and {len(moves) - SHOWN} more" if len(moves) > SHOWN else ""
            print(f"  {who}: {' '.join(sorted(moves)[:SHOWN])}{more}")
    if set(ours) == set(theirs):
        print("  the same moves, but listed twice or not sorted")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default="install/server")
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    expected = list(positions(options.positions, random.Random(options.seed)))
    total = blocked = different = 0
    for start in range(0, len(expected), BATCH):
        batch = expected[start : start + BATCH]
        answers = server_moves(options.server, [fen for fen, _ in batch])
        for (fen, theirs), ours in zip(batch, answers):
            total += len(theirs)
            blocked += not theirs
            if ours != theirs:
                different += 1
                if different <= SHOWN:
                    explain(fen, ours, theirs)
    print(
        f"pyffish: {len(expected)} positions, {total} moves, {blocked} blocked positions (seed {options.seed}): "
        f"{different} differ"
    )
    sys.exit(different != 0)


if __name__ == "__main__":
    main()
