"""A course that is run by the scripts beside this one: made, served, handed in to, killed."""

import csv
import http.client
import io
import os
import re
import signal
import subprocess
import sys
import tarfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def tgz(files):
    """Packs texts and bytes by name."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as archive:
        for name, content in files.items():
            content = content.encode() if isinstance(content, str) else content
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def recipe(commands):
    """An upload whose build runs a script of the shell."""
    return tgz({"Makefile": ".ONESHELL:\nall:\n\t@" + commands.replace("$", "$$").replace("\n", "\n\t") + "\n"})


class Course:
    def __init__(self, server, folder, teams, settings=(), args=()):
        self.server, self.folder, self.args = str(server), Path(folder), args
        listed = self.folder.with_name("teams.csv")
        listed.write_text("name\n" + "".join(f"{team}\n" for team in teams))
        made = self.run("new", "--teams", listed)
        self.tokens = dict(row for row in list(csv.reader(io.StringIO(made)))[1:])
        file = self.folder / "course.toml"
        text = file.read_text()
        for name, value in settings:
            text, count = re.subn(rf"^(# )?{name} = [^#\n]*", f"{name} = {value} ", text, count=1, flags=re.M)
            assert count == 1, name
        file.write_text(text)
        self.process = None

    def run(self, command, *args, code=0):
        """Runs a command on the course, and returns what it printed."""
        done = subprocess.run([self.server, "course", command, self.folder, *map(str, args)],
                              capture_output=True, text=True, timeout=300)
        # A machine without Rust is no fault of the course.
        wrong = [line for line in done.stdout.splitlines() if line.startswith("wrong ")]
        is_fit = command == "doctor" and done.returncode == 1 and all("sources cannot be built" in line for line in wrong)
        assert done.returncode == code or is_fit, (command, args, done)
        return done.stdout

    def start(self):
        log = open(self.folder.with_name("server.log"), "a")
        self.process = subprocess.Popen([self.server, "course", "run", self.folder, "--listen", "127.0.0.1:0",
                                         *self.args], stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        assert "http://" in line, (line, self.folder.with_name("server.log").read_text()[-500:])
        self.port = int(re.search(r":(\d+)/", line)[1])
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def kill(self, sent=signal.SIGKILL):
        self.process.send_signal(sent)
        return self.process.wait(300)

    def submit(self, team, upload):
        """Returns status and text of the answer; 0 where there was none."""
        try:
            asked = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            asked.request("POST", "/api/submit", upload, {"Authorization": f"Bearer {self.tokens[team]}"})
            answer = asked.getresponse()
            return answer.status, answer.read().decode()
        except OSError as error:
            return 0, str(error)

    def versions(self):
        """All versions as rows of the CSV file."""
        return list(csv.DictReader(io.StringIO(self.run("status", "--csv"))))

    def await_all(self, is_done, what, limit=600):
        begun = time.time()
        while not is_done(rows := self.versions()):
            assert time.time() - begun < limit, (what, [row for row in rows if row["state"] in ("building", "checking")])
            time.sleep(0.3)
        return rows


def is_decided(row):
    return row["state"] in ("admitted", "replaced", "refused")


def players(folder):
    """The installed players, as files in a folder or as a build leaves them."""
    folder = Path(folder)
    names = ["random", "territory", "mcts", "alphabeta", "champion"]
    found = {name: folder / f"{name}.so" for name in names}
    return {name: path if path.exists() else folder / f"libplayer_{name}.so" for name, path in found.items()}


def c_sources():
    """A player in C with its Makefile."""
    folder = ROOT / "players/c_mobility"
    return {name: (folder / name).read_text() for name in ("Makefile", "c_mobility.c")}


def play(term, defaults):
    """Plays a term with the arguments of the command line: the server, the folder of players, and numbers."""
    server, installed, *numbers = sys.argv[1:]
    played = term(server, installed, *map(int, numbers), *defaults[len(numbers):])
    try:
        played.run()
    finally:
        played.close()
