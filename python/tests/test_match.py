"""Matches by the server's tournament."""

import os
import signal
import subprocess
import threading
from pathlib import Path

import amazons
import pytest


def test_a_match_has_rows_and_a_difference(capfd):
    result = amazons.play_match(
        "random", "territory", boards=["c5", amazons.Board("donut", 6)], pairs=6, move_time=0.1, progress=True
    )
    assert result.players == ("random", "territory") and result.games == 12 and sum(result.pairs) == 6
    assert result.won + result.lost == 12 and result.score == result.won / 12 < 0.5
    assert result.elo < 0 and result.los < 0.5 and result.sprt is None
    assert len(result.rows) == 12 and {row["winner"] for row in result.rows} <= {"random", "territory"}
    assert result.won == sum(row["winner"] == "random" for row in result.rows)
    assert str(result).startswith("random - territory: ")
    assert "games" in capfd.readouterr().err or result.games == 12


def test_a_test_ends_with_a_verdict():
    result = amazons.play_match(
        "territory", "random", boards=["c5"], sprt={"elo0": 0, "elo1": 100}, max_pairs=100, move_time="100ms"
    )
    assert result.sprt["verdict"] == "elo1" and result.sprt["llr"] > result.sprt["upper"]
    assert str(result).endswith("test: elo1")


def test_levels_and_settings_of_one_player(tmp_path):
    def play(pairs):
        return amazons.play_match(
            "champion:1",
            {"file": "champion:8", "move_time": 0.5},
            boards=["c5"],
            pairs=pairs,
            folder=tmp_path / "event",
        )

    result = play(2)
    assert result.players == ("champion-1", "champion-8") and result.lost >= result.won
    # The same call goes on.
    assert play(3).rows[:4] == result.rows and play(3).games == 6
    assert amazons.play_match("random", "random", boards="c5", pairs=1).players == ("random", "random-2")


def test_games_as_a_data_frame():
    pytest.importorskip("pandas")
    frame = amazons.play_match("random", "territory", boards=["c5"], pairs=2).to_pandas()
    assert len(frame) == 4 and frame["moves"].mean() > 2 and list(frame["pair"]) == [1, 1, 2, 2]


def test_control_c_ends_the_match_and_its_processes(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        # It would take hours.
        amazons.play_match("champion", "champion", boards=["c10"], pairs=50, move_time=5, folder=tmp_path / "event")
    # Nobody holds the folder any more: the event can go on.
    server = str(amazons._programs.SERVER)
    stop = subprocess.run(
        [server, "tournament", "stop", tmp_path / "event"], capture_output=True, text=True, check=False
    )
    assert "no server" in stop.stderr + stop.stdout


def test_the_servers_sentences_are_the_exceptions():
    for arguments, words in [
        ({"pairs": 2, "boards": ["q5"]}, "unknown board 'q5'"),
        ({"pairs": 0, "boards": ["c5"]}, "use a whole number from 1"),
        ({"pairs": 1, "boards": ["c5"], "speed": 1}, "^unknown field `speed`, expected .*`move_time`"),
        ({"pairs": 1, "boards": []}, "boards: name at least one"),
        ({"boards": ["c5"]}, "give either pairs or sprt"),
    ]:
        with pytest.raises(ValueError, match=words) as refused:
            amazons.play_match("random", "territory", **arguments)
        assert "plan.toml" not in str(refused.value)
    with pytest.raises((ValueError, RuntimeError), match="none.so"):
        amazons.play_match("none.so", "random", boards=["c5"], pairs=1)


DEAD = {"file": "bridge:/bin/false", "name": "dead"}


@pytest.mark.parametrize("players", [(DEAD, "random"), ("random", DEAD)])
@pytest.mark.parametrize("length", [{"pairs": 3}, {"sprt": {"elo0": 0, "elo1": 50}, "max_pairs": 60}])
def test_a_player_that_does_not_start_stops_the_match(players, length, tmp_path):
    for folder in (None, tmp_path / "event"):
        with pytest.raises(amazons.PlayerError, match="^dead does not start: ") as failed:
            amazons.play_match(*players, boards=["c5"], folder=folder, **length)
        error = failed.value
        assert error.call in ("load", "initialize") and error.kind and error.detail in str(error)
    # What failed is not in the event: the same call plays it.
    journal = (tmp_path / "event" / "journal.jsonl").read_text().splitlines()
    assert not any('"game":' in line[:10] for line in journal[1:])
    with pytest.raises(amazons.PlayerError):
        amazons.play_match(*players, boards=["c5"], folder=tmp_path / "event", **length)


def test_a_bot_without_its_file_says_so():
    from test_serve import sandboxed

    with sandboxed("") as command, pytest.raises(amazons.PlayerError, match="nosuch.py"):
        typo = command.replace("bot.py", "nosuch.py")
        amazons.play_match({"file": typo, "name": "typo"}, "random", boards=["c5"], pairs=1)


def test_games_without_a_move_are_no_measurement(tmp_path):
    """A player that starts in its first game, and not in others."""
    from test_serve import BOT, sandboxed

    match = {"boards": ["c5"], "move_time": 1, "folder": tmp_path / "event"}
    with sandboxed(BOT) as command:
        first = amazons.play_match({"file": command, "name": "bot"}, "random", pairs=1, **match)
        assert len(first.rows) == 2 and not first.notices
        # The file of a command may change; now it is broken.
        bot = Path(command.rsplit(" ", 1)[1])
        bot.write_text("raise SystemExit('no luck today')")
        result = amazons.play_match({"file": command, "name": "bot"}, "random", pairs=4, **match)
    assert result.games == 8 and result.lost >= 6 and sum(result.pairs) == 1
    assert (result.elo, result.elo_interval, result.los) == (first.elo, first.elo_interval, first.los)
    assert "- bot, pair 2, game 1: " in str(result) and "no luck today" in str(result)
    assert "3 pairs with a game without a move: in the points, not in Elo or a test" in str(result)


def test_a_python_player_plays_a_match(tmp_path):
    from test_serve import BOT, sandboxed

    with sandboxed(BOT) as command:
        result = amazons.play_match({"file": command, "name": "bot"}, "random", boards=["c5"], pairs=1, move_time=1)
    assert result.players == ("bot", "random") and {row["termination"] for row in result.rows} == {"no_moves"}


def test_wrong_matches_are_refused_at_once():
    with pytest.raises(ValueError, match="folder: expected a path"):
        amazons.play_match("champion:1", "champion:2", boards=["c5"], pairs=1, folder="")
    with pytest.raises(ValueError, match="a mapping needs 'file'"):
        amazons.play_match({}, "champion:2", boards=["c5"], pairs=1)
