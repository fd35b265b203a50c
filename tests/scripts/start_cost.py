#!/usr/bin/env python3
"""Measures what starting costs: the server alone, whole games of two players, a move, the first move on a large board.

    tests/scripts/start_cost.py install/server [OTHER_SERVER ...] [--player install/random.so] [--rounds 100]

The commands run in turns, so that a busy machine slows all of them alike. Each row has medians: milliseconds on the
wall clock and of processor time, each with its ratio to /bin/true. A process and all that it waited for count.
Takes about two minutes for each server.
"""

import argparse
import os
import statistics
import time

MOVES = 4000


def run(command):
    """Returns wall-clock and processor time of a command in milliseconds."""
    null = [(os.POSIX_SPAWN_OPEN, stream, "/dev/null", os.O_RDWR, 0) for stream in (0, 1, 2)]
    begun = time.perf_counter()
    _, status, usage = os.wait4(os.posix_spawn(command[0], command, os.environ, file_actions=null), 0)
    passed = time.perf_counter() - begun
    if status:
        raise SystemExit(f"{' '.join(command)}: failed with status {status:#x}")
    return 1000 * passed, 1000 * (usage.ru_utime + usage.ru_stime)


def measure(commands, rounds):
    """Runs named commands in turns; returns a list of times for each."""
    times = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(run(command))
    return times


def medians(times):
    return [statistics.median(column) for column in zip(*times)]


def games(server, player, *options):
    beside = os.path.join(os.path.dirname(os.path.realpath(server)), "random.so")
    player = player or beside
    return [server, "-q", "--seed", "3", *options, player, player]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("servers", nargs="+", metavar="SERVER")
    parser.add_argument("--player", help="the library on both sides [default: random.so beside each server]")
    parser.add_argument("--rounds", type=int, default=100)
    given = parser.parse_args()

    commands = {"/bin/true": ["/bin/true"]}
    for server in given.servers:
        commands[f"{server} --version"] = [server, "--version"]
        commands[f"{server} -m 10 --isolation none"] = games(server, given.player, "-m", "10", "--isolation", "none")
        commands[f"{server} -m 10"] = games(server, given.player, "-m", "10")
    times = measure(commands, given.rounds)
    base = medians(times["/bin/true"])
    width = max(map(len, commands))
    print(f"{'':{width}} {'wall ms':>9} {'ratio':>6} {'cpu ms':>9} {'ratio':>6}")
    for name, taken in times.items():
        wall, cpu = medians(taken)
        print(f"{name:{width}} {wall:9.3f} {wall / base[0]:6.2f} {cpu:9.3f} {cpu / base[1]:6.2f}")

    for size, few in ((10, 1), (200, 100)):
        many = 51 if size == 10 else few + MOVES
        commands = {
            (server, moves): games(server, given.player, "-m", str(size), "--max-moves", str(moves))
            for server in given.servers
            for moves in (few, many)
        }
        times = measure(commands, max(3, given.rounds // (2 if size == 10 else 10)))
        for server in given.servers:
            pairs = zip(times[server, many], times[server, few])
            wall, cpu = medians([[a - b for a, b in zip(long, short)] for long, short in pairs])
            per_move = 1000 / (many - few)
            print(f"{server}: a move at m = {size}: {cpu * per_move:.1f} us of processor time, {wall * per_move:.1f} us")

    commands = {
        server: games(server, given.player, "-m", "1000", "--max-moves", "1") for server in given.servers
    }
    for server, taken in measure(commands, max(3, given.rounds // 20)).items():
        wall, cpu = medians(taken)
        print(f"{server}: a game of one move at m = 1000: {cpu:.0f} ms of processor time, {wall:.0f} ms")


if __name__ == "__main__":
    main()
