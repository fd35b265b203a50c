#!/usr/bin/env python3
"""Counts a course again from its two journals, with nothing of the server's: that no version and no game is lost or
there twice, that the ladder plays with what was admitted, and the points of everyone.

    recount.py COURSE                    # prints name,version,points,games,won,lost,at_fault of all, by name
    recount.py COURSE SERVER             # also compares them with both commands called 'status'; no server may be at work
"""

import csv
import io
import json
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path


def lines_of(path):
    text = path.read_bytes()
    # A torn last line has not happened.
    return [json.loads(line) for line in text.split(b"\n")[:-1]][1:]


def is_late(stages, more, at):
    """Whether something came after the deadline of the first stage that was still open for a team, or of all; it may
    have more time for some stages."""
    for stage in sorted(stages, key=lambda stage: stage["deadline"]):
        deadline = max(stage["deadline"].timestamp(), more.get(stage["name"], 0))
        grace = stage.get("grace", "0s")
        if at <= deadline + float(grace[:-1]) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[grace[-1]]:
            return at > deadline
    return bool(stages)


def playing(team):
    """The version whose turn came last, but a late one only if somebody chose it or none was in time."""
    turns = team["turns"]
    wanted = [number for number, is_chosen in turns if is_chosen or not team["versions"][number - 1]["late"]]
    return None if team["withdrawn"] or not turns else (wanted or [turns[-1][0]])[-1]


def teams_of(folder):
    """The versions of each team with their states, and the turns in which they came to play."""
    teams, more = {}, defaultdict(dict)
    stages = tomllib.loads((folder / "course.toml").read_text()).get("stages", [])
    lines = lines_of(folder / "course.jsonl")
    # Deadlines count for what came before they moved, too.
    for line in lines:
        if line["what"] == "extended":
            more[line["team"]][line["stage"]] = line["until"]
    for line in lines:
        what, number = line["what"], line.get("version")
        if what == "teacher":
            continue
        if what == "joined":
            assert line["team"] not in teams, ("a team twice", line)
            teams[line["team"]] = {"versions": [], "turns": [], "withdrawn": False}
            continue
        team = teams[line["team"]]
        versions = team["versions"]
        if what == "received":
            assert number == len(versions) + 1, ("a version twice, or one is lost", line)
            late = is_late(stages, more[line["team"]], line["at"])
            versions.append({"state": "received", "upload": line["sha256"], "player": None, "late": late,
                             "trial": line.get("is_trial", False)})
        elif what in ("building", "checking", "admitted", "refused"):
            version = versions[number - 1]
            assert version["state"] in ("received", "building", "checking"), ("decided twice", line)
            version["state"] = what
            if what == "admitted":
                version["player"] = line["sha256"]
                if not version["trial"]:
                    team["turns"].append((number, False))
        elif what == "chosen":
            versions[number - 1]["trial"] = False
            if versions[number - 1]["state"] == "admitted":
                team["turns"].append((number, True))
        elif what == "postponed":
            assert versions[number - 1]["state"] in ("received", "building", "checking"), ("decided twice", line)
            versions[number - 1]["state"] = "received"
        elif what == "rolled_back":
            assert versions[number - 1]["state"] == "admitted", line
            team["turns"].append((number, True))
            team["withdrawn"] = False
        elif what in ("withdrawn", "returned"):
            team["withdrawn"] = what == "withdrawn"
    return teams


def ladder_of(folder):
    """The rows of all players by (name, version), and those that are present."""
    present, pairs, games = {}, {}, defaultdict(dict)
    for line in lines_of(folder / "ladder" / "journal.jsonl"):
        (kind, line), = line.items()
        if kind == "joined":
            assert line["name"] not in present, ("joins twice", line)
            present[line["name"]] = (line["version"], line["sha256"])
        elif kind == "left":
            assert present.pop(line["name"])[0] == line["version"], line
        elif kind == "meet":
            assert line["pair"] == len(pairs) + 1, ("a pair twice, or one is lost", line)
            pairs[line["pair"]] = line["players"]
        elif kind == "game":
            assert line["game"] not in games[line["pair"]] and pairs[line["pair"]] == line["players"], line
            games[line["pair"]][line["game"]] = line
    rows = defaultdict(lambda: {"points": 0.0, "games": 0, "won": 0, "lost": 0, "at_fault": 0})
    for both in games.values():
        for game in both.values() if len(both) == 2 else ():
            for seat, label in enumerate(game["players"], 1):
                name, version = label.rsplit("#", 1)
                row = rows[name, int(version)]
                row["games"] += 1
                row["won"] += game["winner"] == seat
                row["lost"] += game["winner"] not in (seat, None)
                row["points"] += {seat: 1.0, None: 0.5}.get(game["winner"], 0.0)
                row["at_fault"] += seat in game["at_fault"]
    return rows, present, sum(map(len, games.values()))


def compare(folder, server, rows, present, count, teams):
    said = subprocess.run([server, "ladder", "status", folder / "ladder"], capture_output=True, text=True, check=True)
    head, *table = said.stdout.splitlines()
    assert head.endswith(f", {count} games"), (head, count)
    # Rank, name, version, Elo, +-, Glicko-2, +-, points, games, won, lost, at fault.
    told = [line.split() for line in table]
    told = {(row[1], int(row[2])): row[7:12] for row in told if len(row) == 12 and row[0].isdigit()}
    for name, (version, _) in present.items():
        row = rows[name, version]
        counted = [f"{row['points']:.1f}", *(str(row[column]) for column in ("games", "won", "lost", "at_fault"))]
        assert told.pop((name, version)) == counted, (name, version, counted, said.stdout)
    assert not told, ("nobody has these", told)
    said = subprocess.run([server, "course", "status", folder, "--csv"], capture_output=True, text=True, check=True)
    words = [(row["team"], int(row["version"]), row["state"].replace("replaced", "admitted"), row["sha256"])
             for row in csv.DictReader(io.StringIO(said.stdout))]
    counted = [(name, number, version["state"], version["upload"])
               for name, team in sorted(teams.items()) for number, version in enumerate(team["versions"], 1)]
    assert sorted(words) == counted, (words, counted)


def recount(folder, server=None, is_settled=False):
    """Returns the rows; with `is_settled`, the ladder must play with exactly what the course says."""
    folder = Path(folder)
    # Whoever plays was admitted before, also while a server goes on.
    rows, present, count = ladder_of(folder)
    teams = teams_of(folder)
    for name, (version, sha256) in present.items():
        if name in teams:
            players = [it["player"] for it in teams[name]["versions"]]
            assert sha256 in players, ("plays without having been admitted", name, version)
    if is_settled:
        for name, team in teams.items():
            number = playing(team)
            wanted = number and team["versions"][number - 1]["player"]
            assert (present.get(name) or (0, None))[1] == wanted, (name, team, present.get(name))
    if server:
        compare(folder, server, rows, present, count, teams)
    return rows, teams, count


if __name__ == "__main__":
    found, _, _ = recount(*sys.argv[1:3])
    print("name,version,points,games,won,lost,at_fault")
    for (name, version), row in sorted(found.items()):
        print(name, version, *row.values(), sep=",")
