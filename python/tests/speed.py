"""Prints speeds on 10 x 10 with random games, in CPU time of one core; with OpenSpiel's beside them where it is installed."""

import time
from random import random

import amazons
import numpy as np

START = amazons.Board("square", 10).position(amazons.STANDARD)
SECONDS = 1.0


def rate(round_of):
    """Returns how much is done a second: `round_of` does some of it and returns how much."""
    done, begun = 0, time.process_time()
    while time.process_time() - begun < SECONDS:
        done += round_of()
    return done / (time.process_time() - begun)


def ours():
    """Plays a game action by action."""
    state, actions = amazons.State(START), 0
    while not state.is_over:
        legal = state.legal_actions()
        state.apply(legal[int(random() * len(legal))])
        actions += 1
    return actions


def turns():
    """Plays a game move by move from the list of all legal moves."""
    position = START.copy()
    while not position.is_over:
        moves = position.legal_moves()
        position.push(moves[int(random() * len(moves))])
    return len(position.moves)


def openspiel(game):
    """The same loop as `ours`."""
    state, actions = game.new_initial_state(), 0
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[int(random() * len(legal))])
        actions += 1
    return actions


class Batch:
    """1,024 games that begin again when they are over; actions are chosen by NumPy from masks, or drawn by the batch."""

    def __init__(self, *, numpy=True, masks=True, planes=False):
        self.batch, self.numpy, self.wants = amazons.Batch(START, 1024, seed=1), numpy, (masks, planes)
        self.masks, self.draws = np.zeros((1024, 100), np.int8), np.zeros((1024, 100), np.float32)
        self.planes = np.zeros((1024, len(amazons.PLANES), 10, 10), np.float32)
        self.actions, self.winners = np.zeros(1024, np.int64), np.zeros(1024, np.int8)
        self.rng = np.random.default_rng(1)

    def __call__(self):
        if self.wants[0]:
            self.batch.masks(self.masks)
        if self.wants[1]:
            self.batch.observations(self.planes)
        if self.numpy:
            self.rng.random(out=self.draws, dtype=np.float32)
            np.multiply(self.draws, self.masks, out=self.draws)
            self.draws.argmax(1, out=self.actions)
        else:
            self.batch.sample(self.actions)
        self.batch.step(self.actions)
        over = self.batch.winners(self.winners) >= 0
        if over.any():
            self.batch.reset(over)
        return 1024


class WholeTurns:
    """1,024 games by whole turns: all legal moves as one list, one of them for each game."""

    def __init__(self):
        self.batch, self.rng = amazons.Batch(START, 1024, seed=1), np.random.default_rng(1)

    def __call__(self):
        offsets, moves = self.batch.moves()
        counts = np.diff(offsets)
        chosen = offsets[:-1] + (self.rng.random(1024) * counts).astype(np.int64)
        self.batch.play(moves[chosen])
        over = self.batch.winners() >= 0
        if over.any():
            self.batch.reset(over)
        return 1024


def aec(env):
    """Plays a game in an environment."""
    env.reset()
    actions = 0
    for _ in env.agent_iter():
        _, _, terminated, truncated, info = env.last()
        legal = None if terminated or truncated else np.flatnonzero(info["action_mask"])
        env.step(None if legal is None else int(legal[int(random() * len(legal))]))
        actions += 1
    return actions


def line(name, value):
    print(f"{name:62}{value:14,.0f}")


if __name__ == "__main__":
    try:
        import pyspiel

        spiel = pyspiel.load_game("amazons")
        rates = [(rate(ours), rate(lambda: openspiel(spiel))) for _ in range(3)]
        line("OpenSpiel, actions a second in a loop", max(theirs for _, theirs in rates))
        print(f"{'State, times OpenSpiel in the same run':62}{sorted(a / b for a, b in rates)[1]:14.2f}")
    except ModuleNotFoundError:
        print("OpenSpiel is not installed: pip install open_spiel")
    line("State, actions a second in a loop", rate(ours))
    line("Position, turns a second in a loop", rate(turns))
    line("all legal moves of the start as an array, times a second", rate(lambda: len(START.legal_moves().array()) // 2176))
    line("Batch of 1,024, actions a second, masks and NumPy's choice", rate(Batch()))
    line("Batch of 1,024, actions a second, masks and sample", rate(Batch(numpy=False)))
    line("Batch of 1,024, actions a second, masks, planes and sample", rate(Batch(numpy=False, planes=True)))
    line("Batch of 1,024, actions a second, sample alone", rate(Batch(numpy=False, masks=False)))
    line("Batch of 1,024, turns a second, one list of moves", rate(WholeTurns()))
    batch = amazons.Batch(START, 64, seed=1)
    line("random playouts a second", rate(lambda: batch.playouts(16).size * 16))
    env, raw = amazons.env("square", 10), amazons.raw_env("square", 10)
    line("PettingZoo, amazons.env, actions a second", rate(lambda: aec(env)))
    line("PettingZoo, amazons.raw_env, actions a second", rate(lambda: aec(raw)))
