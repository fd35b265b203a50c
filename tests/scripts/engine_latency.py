#!/usr/bin/env python3
"""How late `server engine PLAYER.so` answers by the clock on the wall: a table of `go movetime` and of `stop`.

    tests/scripts/engine_latency.py [-n 200] [--busy 3] [--movetime 300] server engine champion.so

Any other UCI engine that knows the variant `amazons` can stand in for ours. `--busy` starts as many loops beside it.
"""

import argparse
import random
import subprocess
import sys
import time


class Engine:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def hear(self, word):
        for line in self.process.stdout:
            if line.split()[:1] == [word]:
                return line.split()
        sys.exit(f"no {word}: the engine has ended")

    def set_up(self, moves):
        self.say("position startpos moves " + " ".join(moves))
        self.say("isready")
        self.hear("readyok")

    def time_of(self, line):
        """Milliseconds from this line to the move."""
        begun = time.perf_counter()
        self.say(line)
        self.hear("bestmove")
        return (time.perf_counter() - begun) * 1000


def row(name, times):
    times.sort()
    pick = [times[len(times) * percent // 100] for percent in (50, 90, 99)]
    print(f"| {name} | {len(times)} | " + " | ".join(f"{ms:.1f}" for ms in [*pick, times[-1]]) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=200, help="answers of each kind")
    parser.add_argument("--busy", type=int, default=0, help="busy loops beside the engine")
    parser.add_argument("--movetime", type=int, default=300, help="in milliseconds")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the engine")
    asked = parser.parse_args()
    engine = Engine(asked.command)
    engine.say("uci")
    engine.hear("uciok")
    engine.say("setoption name UCI_Variant value amazons")
    game = []
    for _ in range(50):
        engine.set_up(game)
        engine.say("go depth 1 movetime 50")
        game.append(engine.hear("bestmove")[1])
    chance = random.Random(1)
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(asked.busy)]
    try:
        where = f"beside {asked.busy} busy loops" if loops else "idle"
        print("| | n | median | p90 | p99 | max |\n|---|---|---|---|---|---|")
        times = []
        for _ in range(asked.n):
            engine.set_up(game[: chance.randrange(50)])
            times.append(engine.time_of(f"go movetime {asked.movetime}"))
        row(f"`go movetime {asked.movetime}`, {where}", times)
        times = []
        for _ in range(asked.n):
            engine.set_up(game[: chance.randrange(50)])
            engine.say("go infinite")
            time.sleep(chance.uniform(0.02, 0.3))
            times.append(engine.time_of("stop"))
        row(f"`stop`, {where}", times)
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    engine.say("quit")
    sys.exit(engine.process.wait())


main()
