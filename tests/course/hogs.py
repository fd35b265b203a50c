#!/usr/bin/env python3
"""Simulates a term in which some teams take what others need: memory, disk, connections, time, the last second before the
deadline; two are friends. The first third is calm, so that the waiting of the innocent can be compared; the server is
killed now and then. Everything is counted again by recount.py.

    hogs.py SERVER FOLDER_OF_PLAYERS [SECONDS [KILLS [SEED]]]
"""

import csv
import io
import json
import os
import random
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import threading
import time
import urllib.request
from datetime import datetime, timedelta, timezone
from pathlib import Path

from course import Course, c_sources, is_decided, play, players, recipe, tgz
from recount import lines_of, recount

INNOCENT = [f"team{number:02}" for number in range(18)]
HOGS = ["memory", "disk", "crowd", "sleeper", "late", "pal", "chum"]
CALM, DEADLINE = 1 / 3, 0.9
# A player that knows its friend by the first arrow, which goes where the queen came from, and then plays its worst moves.
PAL = ("    struct move_t const move = choose();\n",
       "    struct move_t move = choose();\n    static int moves;\n    if (moves++ == 0) move.arrow_dst = move.queen_src;\n")
CHUM = [("            if (value > *best_value) {", "            if ((loses ? -value : value) > *best_value) {"),
        ("*best_value = value;", "*best_value = loses ? -value : value;"),
        ("static struct move_t const no_move", "static int loses;\nstatic struct move_t const no_move"),
        ("        apply(1 - state.me, previous_move);",
         "        { static int seen; if (seen++ == 0) loses = previous_move.arrow_dst == previous_move.queen_src;\n"
         "        apply(1 - state.me, previous_move); }")]


def mobility(mark, *changes):
    files = c_sources()
    source = files["c_mobility.c"]
    for before, after in changes:
        assert before in source, before
        source = source.replace(before, after)
    return tgz({**files, "c_mobility.c": f"{source}/* {mark} */\n"})


class Term:
    def __init__(self, server, installed, seconds, kills, seed):
        self.random, self.server, self.seconds = random.Random(seed), server, seconds
        self.place = Path(tempfile.mkdtemp(prefix="amazons-hogs-"))
        self.known, self.begun, self.count, self.streams = players(installed), time.time(), 0, []
        settings = [("boards", '["c5", "d5"]'), ("plies", "2"), ("records", '"faulty"'), ("per-day", "1000"),
                    ("move-time", '"20ms"'), ("upload-max", '"8M"'), ("max-pairs", "100000")]
        self.course = Course(server, self.place / "course", INNOCENT + HOGS, settings, ["--quiet"])
        deadline = datetime.fromtimestamp(self.begun + DEADLINE * seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        file = self.course.folder / "course.toml"
        stage = f"[[stages]]\nname = \"final\"\ndeadline = {deadline}\ngrace = \"1s\"\n[ladder]\n"
        file.write_text(file.read_text().replace("[ladder]\n", stage, 1))
        self.kills = sorted(self.random.uniform(0.05, 0.95) for _ in range(kills))

    def now(self):
        return (time.time() - self.begun) / self.seconds

    def mark(self):
        self.count += 1
        return f"{self.count}"

    def honest(self, team):
        kind = INNOCENT.index(team) % 3
        if kind == 2:
            return mobility(self.mark())
        return self.known[["random", "territory"][kind]].read_bytes() + self.mark().encode()

    def bad(self, team):
        """What a hog hands in now; what it takes besides is taken here."""
        if team == "memory":
            return recipe(f"head -c 1700M /dev/zero | tail | wc -c; sleep 40; false # {self.mark()}")
        if team == "disk":
            if self.random.random() < 0.5:
                return b"\x7fELF" + self.random.randbytes(8_000_000)
            return mobility(self.mark(), ("    struct move_t const move = choose();\n",
                                          "    for (int i = 0; i < 20000; i++) puts(\"a long line that nobody reads, again and again\");\n"
                                          "    static int moves;\n    if (moves++ == 3) abort();\n    struct move_t const move = choose();\n"))
        if team == "crowd":
            for _ in range(300):
                self.streams = self.streams[-1500:]
                try:
                    stream = socket.create_connection(("127.0.0.1", self.course.port), 2)
                    stream.sendall(f"GET /api/events/0/stream HTTP/1.1\r\nhost: 127.0.0.1:{self.course.port}\r\n\r\n".encode())
                    self.streams.append(stream)
                except OSError:
                    break
            return None
        if team == "sleeper":
            return mobility(self.mark(), ("#include <string.h>", "#include <string.h>\n#include <time.h>"),
                            ("    struct move_t const move = choose();\n",
                             "    nanosleep(&(struct timespec){0, 400000000}, NULL);\n    struct move_t const move = choose();\n"))
        return mobility(self.mark())

    def hand_in(self, team, upload):
        if upload is not None:
            status, text = self.course.submit(team, upload)
            assert status in (0, 200, 201, 403, 409, 429, 503) or team in HOGS, (team, status, text)

    def kill(self):
        self.kills.pop(0)
        self.course.kill()
        recount(self.course.folder, self.server)
        self.course.start()

    def creep(self):
        """Begins an upload before the deadline and ends it after that."""
        upload = mobility("the last second")
        wait = self.begun + DEADLINE * self.seconds - time.time() - 1
        time.sleep(max(0, wait))
        head = (f"POST /api/submit HTTP/1.1\r\nhost: 127.0.0.1:{self.course.port}\r\nauthorization: Bearer "
                f"{self.course.tokens['late']}\r\ncontent-length: {len(upload)}\r\nconnection: close\r\n\r\n")
        with socket.create_connection(("127.0.0.1", self.course.port)) as stream:
            stream.sendall(head.encode() + upload[:1000])
            time.sleep(4)
            stream.sendall(upload[1000:])
            self.crept = stream.recv(65536).decode()

    def run(self):
        self.course.start()
        teacher = self.course.run("token").strip()
        for team in INNOCENT:
            self.hand_in(team, self.honest(team))
        self.hand_in("pal", mobility("pal", PAL))
        self.hand_in("chum", mobility("chum", *CHUM))
        creeper = threading.Thread(target=self.creep)
        creeper.start()
        while self.now() < DEADLINE - 3 / self.seconds:
            if self.kills and self.now() > self.kills[0]:
                self.kill()
            team = self.random.choice(INNOCENT)
            self.hand_in(team, self.honest(team))
            if self.now() > CALM:
                team = self.random.choice(HOGS[:5])
                self.hand_in(team, self.bad(team))
            # Some 200 uploads of the innocent.
            time.sleep(self.random.expovariate(200 / self.seconds))
        creeper.join()
        while self.kills:
            time.sleep(max(0, self.begun + self.kills[0] * self.seconds - time.time()))
            self.kill()
        # What a hog has left may take long.
        rows = self.course.await_all(lambda rows: all(is_decided(row) for row in rows if row["team"] in INNOCENT), "the end", 1800)
        time.sleep(max(3, self.begun + self.seconds - time.time()))
        asked = urllib.request.Request(f"http://127.0.0.1:{self.course.port}/api/teacher/teams.csv",
                                       headers={"authorization": f"Bearer {teacher}"})
        teams = {row["team"]: row for row in csv.DictReader(io.StringIO(urllib.request.urlopen(asked).read().decode()))}
        self.course.run("stop")
        assert self.course.process.wait(120) in (0, 130)
        self.judge(rows, teams)

    def judge(self, rows, teams):
        counted, _, games = recount(self.course.folder, self.server, is_settled=True)
        # Nobody innocent is refused, or loses by another's doing.
        refused = [row for row in rows if row["team"] in INNOCENT and row["state"] == "refused"]
        assert not refused, refused
        at_fault = {name: row["at_fault"] for (name, _), row in counted.items() if row["at_fault"]}
        assert not set(at_fault) & set(INNOCENT), at_fault
        waits = {False: [], True: []}
        came = {}
        for line in lines_of(self.course.folder / "course.jsonl"):
            key = (line["team"], line.get("version"))
            if line["what"] == "received":
                came[key] = line["at"]
            elif line["what"] in ("admitted", "refused") and line["team"] in INNOCENT:
                waits[came[key] > self.begun + CALM * self.seconds].append(line["at"] - came[key])
        calm, busy = (sorted(waits[is_busy]) for is_busy in (False, True))
        print(f"{games} games, {len(rows)} versions; waits of the innocent in s: "
              + "; ".join(f"{name} {len(them)} versions, mean {statistics.mean(them):.1f}, median {statistics.median(them)}, "
                          f"longest {them[-1]}" for name, them in (("calm", calm), ("with hogs", busy))))
        print("faults:", at_fault, "disk in KiB:", {name: int(teams[name]["disk_kib"]) for name in HOGS},
              "of others:", max(int(teams[name]["disk_kib"]) for name in INNOCENT))
        shares = {name: sum(row["games"] for (it, _), row in counted.items() if it == name) for name in INNOCENT + HOGS}
        print("games of the innocent:", sorted(shares[name] for name in INNOCENT), "of hogs:", {name: shares[name] for name in HOGS})
        print("the last second:", self.crept.splitlines()[0], "|", self.crept.splitlines()[-1])
        late = [row for row in rows if row["team"] == "late" and int(row["received"]) > self.begun + DEADLINE * self.seconds]
        assert all(row["late"] == "true" for row in late), late
        ladder = json.loads((self.course.folder / "ladder/ladder.json").read_text())
        print("noted:", ladder.get("suspicions"))
        assert statistics.mean(busy) <= 2 * max(statistics.mean(calm), 3), (calm, busy)

    def close(self):
        if self.course.process and self.course.process.poll() is None:
            self.course.kill(signal.SIGKILL)
        shutil.rmtree(self.place, ignore_errors=True)


if __name__ == "__main__":
    play(Term, [600, 10, 1])
