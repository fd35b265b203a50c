#!/usr/bin/env python3
"""Shows what failed in a run of the tests, from its log: each test with its output, its seeds, and how often it failed lately.

    failures.py LOG HISTORY COMMIT

HISTORY gets a line for this run; it is made when it is missing, and keeps the last hundred runs.
"""

import json
import re
import sys
from pathlib import Path

LINES = 60  # of a test's output, its last
RUNS = 100


def outputs(log):
    """The output of each failed test, by name; of a test of time, that of all its tries; and which did not end."""
    slow = {begun[1] for line in log if (begun := re.match(r"test (\S+) has been running for over", line))}
    ended = {end[1] for line in log if (end := re.match(r"test (\S+) \.\.\. ", line))}
    found, name = {test: [f"{test} did not end"] for test in slow - ended}, None
    for line in log:
        begun = re.match(r"---- (\S+) stdout ----$|test (\S+) \.\.\. FAILED, try \d+ of \d+", line)
        if begun:
            name = begun[1] or begun[2]
            found.setdefault(name, [])
        elif re.match(r"failures:$|test result: |test \S+ \.\.\. ok|=== ", line):
            name = None
        elif pytest := re.match(r"(?:FAILED|ERROR) (\S+::\S+)(?: - (.*))?$", line):
            found.setdefault(pytest[1], []).append(pytest[2] or "")
        if name:
            found[name].append(line)
    return found


def main(log_file, history_file, commit):
    log = [line.rstrip("\n") for line in open(log_file, encoding="utf-8", errors="replace")]
    texts = outputs(log)
    tries = {line[1]: int(line[2]) for text in log if (line := re.match(r"test (\S+) \.\.\. ok, try (\d+)$", text))}
    failed = {name: text for name, text in texts.items() if name not in tries}
    history = Path(history_file)
    runs = [json.loads(line) for line in history.read_text().splitlines()] if history.exists() else []
    for name, text in failed.items():
        times = sum(name in run["failed"] for run in runs)
        print(f"\n=== {name} failed; so it did in {times} of the last {len(runs)} runs")
        seeds = sorted(set(re.findall(r"\bseed\w*\W{1,3}\d+", "\n".join(text), re.IGNORECASE)))
        print("\n".join(text[-LINES:]))
        if seeds:
            print("seeds:", ", ".join(seeds))
    for name, number in tries.items():
        times = sum(name in run["tried"] for run in runs)
        print(f"=== {name} passed in try {number}; so it did in {times} of the last {len(runs)} runs")
    runs.append({"commit": commit, "failed": sorted(failed), "tried": sorted(tries)})
    history.parent.mkdir(parents=True, exist_ok=True)
    history.write_text("".join(json.dumps(run) + "\n" for run in runs[-RUNS:]))


main(*sys.argv[1:])
