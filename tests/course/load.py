#!/usr/bin/env python3
"""Measures how long a new team waits while the versions of all others hang, spin or fill the memory, and how many
versions an hour a course takes in.

    load.py SERVER FOLDER_OF_PLAYERS [hang|spin|check|memory|stream]...
"""

import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from course import Course, c_sources, is_decided, players, recipe, tgz

TEAMS = [f"team{number:02}" for number in range(24)]
SPIN = "for i in $(seq 100); do (while :; do :; done) & done; wait"
HUNGRY = "perl -e '$x = \"x\" x 1.8e9; sleep 1000'"
HANGS = """#include "player.h"
#include <unistd.h>
char const *get_player_name(void) { return "hangs"; }
void initialize(unsigned int id, struct graph_t *graph, unsigned int n, unsigned int *queens[NUM_PLAYERS])
{ (void)id; (void)graph; (void)n; (void)queens; for (;;) pause(); }
struct move_t play(struct move_t previous) { return previous; }
void finalize(void) {}
"""
MAKEFILE = "team.so: player.c\n\tcc -shared -fPIC -O1 -o $@ $<\n"


def attack(kind, number):
    if kind == "check":
        return tgz({"Makefile": MAKEFILE, "player.c": f"{HANGS}int number = {number};\n"})
    return recipe({"hang": "sleep 1000", "spin": SPIN, "memory": HUNGRY}[kind] + f" # {number}")


def newcomer(server, folder, kind):
    """Returns the seconds until a new team is admitted, and until it plays."""
    with tempfile.TemporaryDirectory() as place:
        settings = [("init-time", '"100s"')] if kind == "check" else []
        course = Course(server, f"{place}/course", [*TEAMS, "zoe"], settings, ["--quiet"])
        course.start()
        with ThreadPoolExecutor(24) as pool:
            sent = list(pool.map(lambda it: course.submit(it[1], attack(kind, it[0])), enumerate(TEAMS)))
        assert all(status == 201 for status, _ in sent), sent
        # Turns are in the order of seconds, and of names within one.
        time.sleep(1)
        begun = time.time()
        assert course.submit("zoe", tgz(c_sources()))[0] == 201
        rows = course.await_all(lambda rows: any(row["team"] == "zoe" and is_decided(row) for row in rows), kind)
        took = time.time() - begun
        new = next(row for row in rows if row["team"] == "zoe")
        failed = [row for row in rows if row["state"] == "refused"]
        assert not failed or kind == "memory", failed
        assert new["state"] == "admitted", new
        course.kill()
        return took


def stream(server, folder, count=40):
    """Returns how many versions an hour are decided when they never run out."""
    with tempfile.TemporaryDirectory() as place:
        course = Course(server, f"{place}/course", TEAMS, [("per-day", "100")], ["--quiet"])
        course.start()
        known = players(folder)
        begun = time.time()
        for number in range(count):
            source = c_sources()
            source["c_mobility.c"] += f"int number = {number};\n"
            random = known["random"].read_bytes() + b"x" * number
            upload = [tgz(source), known["territory"].read_bytes() + b"x" * number, random][number % 3]
            status = course.submit(TEAMS[number % len(TEAMS)], upload)
            assert status[0] == 201, status
        course.await_all(lambda rows: all(map(is_decided, rows)), "stream", 3600)
        took = time.time() - begun
        course.kill()
        return count / took * 3600


def main():
    server, folder, *kinds = sys.argv[1:]
    for kind in kinds or ["hang", "spin", "check", "memory", "stream"]:
        if kind == "stream":
            print(f"stream: {stream(server, folder):.0f} versions an hour", flush=True)
        else:
            print(f"{kind}: a new team is admitted after {newcomer(server, folder, kind):.0f} s", flush=True)


if __name__ == "__main__":
    main()
