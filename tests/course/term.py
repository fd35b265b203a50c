#!/usr/bin/env python3
"""Simulates a term: teams hand in players of many kinds, good and bad ones, again and again; deadlines pass, versions
are rolled back, teams withdrawn, the server is killed and the disk filled; a backup is restored, a final is played.
Everything is counted again by recount.py.

    term.py SERVER FOLDER_OF_PLAYERS [SECONDS [TEAMS [KILLS [SEED]]]]
"""

import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

from course import ROOT, Course, c_sources, is_decided, play, players, recipe, tgz
from recount import recount

HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "player.h"
char const *get_player_name(void) { return "team"; }
void initialize(unsigned int id, struct graph_t *graph, unsigned int n, unsigned int *queens[NUM_PLAYERS])
{ (void)id; (void)graph; (void)n; (void)queens; }
void finalize(void) {}
"""
BAD_MOVES = {
    "illegal": "return previous;",
    "crashes": "*(volatile int *)0 = 1; return previous;",
    "hangs": "for (;;) pause();",
    "spins": "for (;;) {}",
    "exits": "exit(0);",
    "steals": 'return fopen("/etc/passwd", "r") ? previous : previous;',
    "starts programs": 'return system("sleep 100"), previous;',
    "forks": "while (fork() >= 0) {} return previous;",
    "floods its log": "for (;;) puts(\"flood\"); return previous;",
}
BAD_BUILDS = {
    "fails": "echo wrong; false",
    "writes outside": "echo x > /tmp/amazons-term; echo x > ../../../../course.jsonl; false",
    "leaves processes": "(setsid sleep 1000 &) ; false",
    "prints forever": "yes",
    "fills the disk": "cat /dev/zero > a",
}
MAKEFILE = "team.so: player.c\n\tcc -shared -fPIC -O1 -o $@ $<\n"


class Term:
    def __init__(self, server, installed, seconds, teams, kills, seed):
        self.random = random.Random(seed)
        self.place = Path(tempfile.mkdtemp(prefix="amazons-term-"))
        self.is_mounted = self.mount()
        self.server, self.known, self.seconds = server, players(installed), seconds
        self.teams = [f"team{number:02}" for number in range(teams)]
        self.begun = time.time()
        settings = [("boards", '["c5", "d5"]'), ("plies", "2"), ("records", '"faulty"'), ("per-day", "1000"), ("move-time", '"10ms"'),
                    ("init-time", '"500ms"'), ("check-time", '"600s"'), ("upload-max", '"8M"'),
                    # In a short one, the time is for submissions.
                    ("max-pairs", "2" if seconds < 60 else "200")]
        self.course = Course(server, self.place / "course", self.teams, settings, ["--quiet"])
        stages = "".join(f"[[stages]]\nname = \"{name}\"\ndeadline = {self.at(share)}\ngrace = \"{max(1, grace):.0f}s\"\n"
                         for name, share, grace in [("first", 0.5, seconds / 10), ("final", 0.7, 1)])
        file = self.course.folder / "course.toml"
        file.write_text(file.read_text().replace("[ladder]\n", f"{stages}[ladder]\n", 1))
        # What each team was told is received: the hash, and whether it is a player.
        self.taken = {team: [] for team in self.teams}
        self.unsure = {team: [] for team in self.teams}
        self.kills = sorted(self.random.uniform(0.05, 0.65) for _ in range(kills))
        self.count, self.refusals, self.killed = 0, {}, 0
        # Builds of root's server are another user's, who may not enter root's folders.
        cargo = shutil.which("cargo")
        self.has_rust = cargo and (os.geteuid() != 0 or not Path(cargo).is_relative_to(Path.home()))

    def at(self, share):
        then = datetime.fromtimestamp(self.begun, timezone.utc) + timedelta(seconds=share * self.seconds)
        return then.strftime("%Y-%m-%dT%H:%M:%SZ")

    def mount(self):
        """Puts everything on a small disk of its own, where that is allowed."""
        mounted = os.geteuid() == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=600m,mode=700", "tmpfs", self.place], capture_output=True)
        return bool(mounted) and mounted.returncode == 0

    def upload(self, team):
        """Returns what a team hands in next, and whether it should be admitted; None where that is open."""
        self.count += 1
        place, mark = self.teams.index(team), f"/* {self.count} */"
        if self.random.random() < 0.4:
            kind = self.random.choice(["move", "build", "file"])
            if kind == "move":
                body = self.random.choice(list(BAD_MOVES.values()))
                source = f"{HEAD}struct move_t play(struct move_t previous) {{ {body} }} {mark}\n"
                return tgz({"Makefile": MAKEFILE, "player.c": source}), False
            if kind == "build":
                return recipe(self.random.choice(list(BAD_BUILDS.values())) + f" # {self.count}"), False
            bad = [b"text" + mark.encode(), b"\x7fELF" + mark.encode(), b"PK\x03\x04" + mark.encode(),
                   tgz({"../../../course.jsonl": mark}), tgz({"Makefile": MAKEFILE, "zeros": bytes(300 << 20)})]
            return self.random.choice(bad[:4] if self.random.random() < 0.9 else bad[4:]), False
        if place in (0, 1):
            files = c_sources()
            source = files["c_mobility.c"] + mark
            # The second one copies the first under other names.
            for name in re.findall(r"^static .*?(\w+)\(", source, re.M) if place == 1 else []:
                source = re.sub(rf"\b{name}\b", f"my_{name}", source)
            return tgz({**files, "c_mobility.c": source}), True
        if place == 2 and self.seconds >= 60:
            folder = ROOT / "players/c_gsl"
            files = {path.name: path.read_text() for path in folder.iterdir() if path.suffix in (".c", ".h") or path.name == "Makefile"}
            return tgz({**files, "mark.txt": mark}), None
        if place == 3 and self.has_rust:
            folder = self.place / "rust"
            if not folder.exists():
                subprocess.run([self.server, "new-player", "rust", "rust", "--dir", self.place], check=True, capture_output=True)
            files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
            return tgz({**files, "mark.txt": mark}), None
        # The checks of those that search take a minute of processor time.
        name = list(self.known)[place % len(self.known) if self.seconds >= 300 and place % 3 == 0 else place % 2]
        # What follows a library changes its hash alone.
        return self.known[name].read_bytes() + mark.encode(), True

    def hand_in(self, team):
        upload, is_player = self.upload(team)
        sha256 = hashlib.sha256(upload).hexdigest()
        kills = bool(self.kills) and self.now() > self.kills[0]
        if kills:
            self.kills.pop(0)
            delay = self.random.choice([0, 0.01, 0.1, 0.5, 1, 2])
            killer = subprocess.Popen(["sh", "-c", f"sleep {delay}; kill -9 {self.course.process.pid}"])
        status, text = self.course.submit(team, upload)
        if status == 201:
            self.taken[team].append((sha256, is_player))
        elif status == 0 or status >= 500:
            self.unsure[team].append(sha256)
        else:
            self.refusals[status] = self.refusals.get(status, 0) + 1
        if kills:
            killer.wait()
            self.course.process.wait()
            self.killed += 1
            recount(self.course.folder, self.server)
            self.course.start()
        elif status == 201 and self.random.random() < 0.2:
            # A repeated request is the same version.
            again = self.course.submit(team, upload)
            assert again[0] in (200, 403) or "refused" in str(self.course.versions()), again

    def now(self):
        return (time.time() - self.begun) / self.seconds

    def act(self):
        team, dice = self.random.choice(self.teams), self.random.random()
        admitted = [row for row in self.course.versions() if row["team"] == team and row["state"] in ("admitted", "replaced")]
        if dice < 0.8:
            self.hand_in(team)
        elif dice < 0.9 and admitted:
            self.course.run("rollback", team, self.random.choice(admitted)["version"])
        elif dice < 0.93 and admitted:
            self.course.run("withdraw", team)
            assert self.course.submit(team, b"x")[0] == 403
            self.course.run("rollback", team, admitted[-1]["version"])
        elif dice < 0.96:
            old = self.course.tokens[team]
            self.course.tokens[team] = self.course.run("token", team).splitlines()[1].split(",")[1]
            assert self.course.tokens[team] != old
        else:
            recount(self.course.folder)

    def fill(self):
        """Fills the disk until nothing is taken, and makes room again."""
        if not self.is_mounted:
            return print("skipped: only root can mount a small disk to fill")
        filler = self.place / "filler"
        with open(filler, "wb", buffering=0) as out:
            try:
                while out.write(bytes(1 << 20)):
                    pass
            except OSError:
                pass
        time.sleep(3)
        team = self.teams[-1]
        status, text = self.course.submit(team, b"x" * 3_000_000)
        assert (status, "disk is full" in text) == (507, True), (status, text)
        recount(self.course.folder)
        filler.unlink()
        upload = self.known["random"].read_bytes() + b"after the flood"
        assert self.course.submit(team, upload)[0] in (201, 403)
        if any(row["sha256"] == hashlib.sha256(upload).hexdigest() for row in self.course.versions()):
            self.taken[team].append((hashlib.sha256(upload).hexdigest(), True))

    def restore(self):
        """Copies the running course, kills its server, and goes on with the copy."""
        copy = self.place / "restored"
        self.course.run("backup", copy)
        self.course.kill()
        kept = self.course.folder.rename(self.place / "lost")
        copy.rename(self.course.folder)
        recount(self.course.folder, self.server)
        self.course.run("doctor")
        shutil.rmtree(kept)
        self.course.start()

    def final(self):
        """Plays the final with what was handed in for it, killed once, and publishes it."""
        final = self.place / "final"
        told = self.course.run("event", final, "--stage", "final", "--seed", "7").splitlines()
        count = sum(bool(re.match(r"\S+: version \d", line)) for line in told)
        field = (final / "event.toml").read_text().count("[[players]]")
        command = [self.server, "tournament", final / "event.toml", "--dir", final / "results", "--quiet"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as running:
            time.sleep(2)
            running.kill()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        lines = [json.loads(line) for line in (final / "results/journal.jsonl").read_text().splitlines()]
        played = [(line["game"]["pair"], line["game"]["game"]) for line in lines if "game" in line]
        assert len(played) == len(set(played)), "a game of the final twice"
        assert played and len(played) % (field * (field - 1)) == 0, (len(played), field)
        subprocess.run([self.server, "report", final / "results", "--html", final / "pages"], check=True, stdout=subprocess.DEVNULL)
        assert len(list((final / "pages").glob("*.html"))) > 3
        grades = self.course.run("grades").splitlines()
        print(f"the final: {count} teams, {field - count} baselines, {len(played)} games; grades of {len(grades) - 1} teams")

    def check_versions(self, rows):
        """Nothing that was confirmed is lost, nothing is there twice, and each is judged as it should be."""
        for team in self.teams:
            own = [row for row in rows if row["team"] == team]
            confirmed = [sha256 for sha256, _ in self.taken[team]]
            found = [row["sha256"] for row in own if row["sha256"] not in self.unsure[team]]
            assert found == confirmed, (team, found, confirmed)
            for row in own:
                is_player = dict(self.taken[team]).get(row["sha256"])
                if is_player is not None:
                    assert (row["state"] != "refused") == is_player, row

    def run(self):
        self.course.start()
        # After a full disk, the server waits for half a minute.
        steps = [(0.3, self.restore), (0.5, self.fill)][: 2 if self.seconds >= 30 else 1]
        while self.now() < 1:
            if steps and self.now() > steps[0][0]:
                steps.pop(0)[1]()
            elif self.now() > 0.7 + 2.1 / self.seconds:
                assert self.course.submit(self.teams[0], b"late")[0] == 403
                time.sleep(self.seconds / 50)
            else:
                self.act()
                # Some 200 submissions, whether it takes an hour or a minute.
                time.sleep(self.random.expovariate(200 / self.seconds))
        rows = self.course.await_all(lambda rows: all(map(is_decided, rows)), "the end", 1200)
        # The ladder takes in the last ones.
        time.sleep(2)
        self.course.run("stop")
        code = self.course.process.wait(120)
        assert code in (0, 130), code
        _, teams, games = recount(self.course.folder, self.server, is_settled=True)
        self.check_versions(rows)
        self.course.run("doctor")
        self.final()
        late = sum(row["late"] == "true" for row in rows)
        words = {word: sum(row["state"] == word for row in rows) for word in ("admitted", "replaced", "refused")}
        print(f"{len(rows)} versions {words}, {late} late, {games} games, {self.killed} kills, not taken: {self.refusals}")

    def close(self):
        if self.course.process and self.course.process.poll() is None:
            self.course.kill()
        if self.is_mounted:
            subprocess.run(["umount", "-l", self.place], check=False)
        shutil.rmtree(self.place, ignore_errors=True)


if __name__ == "__main__":
    play(Term, [60, 25, 10, 1])
