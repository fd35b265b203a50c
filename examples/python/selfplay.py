"""Learns the game on 6 x 6 by playing against itself, and draws how strong it becomes: selfplay.png.

    pip install matplotlib
    python3 selfplay.py              # some ten minutes of processor time; --minutes 1 shows the beginning

A small network of NumPy looks at the planes of a state and tells how good each action is, and who will win. It plays
hundreds of games at once against itself, each action by a tree search with the network at its leaves. Then it learns to
foresee what the search has found, and who has won. Every now and then it plays against opponents that do not learn.
"""

import argparse
import os
import time

# Matrices as small as these are slower on several threads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import amazons
import numpy as np

BOARD = amazons.Board("square", 6)
CELLS = BOARD.columns * BOARD.rows
SYMMETRIES = BOARD.symmetries()
GAMES, SIMULATIONS, HIDDEN = 128, 40, 192


class Network:
    """Planes to the logits of all actions and of the chance to win, by two hidden layers, trained with Adam."""

    def __init__(self, rng):
        sizes = [len(amazons.PLANES) * CELLS, HIDDEN, HIDDEN, CELLS + 1]
        self.weights = [rng.normal(0, (2 / n) ** 0.5, (n, m)).astype(np.float32) for n, m in zip(sizes, sizes[1:])]
        self.weights[-1] *= 0.1
        self.weights += [np.zeros(m, np.float32) for m in sizes[1:]]
        self.means = [(np.zeros_like(weight), np.zeros_like(weight)) for weight in self.weights]
        self.steps = 0

    def layers(self, planes):
        layers = [planes.reshape(len(planes), -1)]
        for weight, bias in zip(self.weights[:2], self.weights[3:5]):
            layers.append(np.maximum(layers[-1] @ weight + bias, 0))
        return [*layers, layers[-1] @ self.weights[2] + self.weights[5]]

    def evaluate(self, planes):
        """What `Batch.search` asks for: weights of all actions, and the chances of the sides to move."""
        out = self.layers(planes)[-1]
        return np.exp(out[:, :CELLS] - out[:, :CELLS].max(1, keepdims=True)), 1 / (1 + np.exp(-out[:, CELLS]))

    def learn(self, planes, masks, policy, won, rate):
        """One step towards a policy and results; returns the loss of both."""
        *layers, out = self.layers(planes)
        logits = np.where(masks > 0, out[:, :CELLS], -np.inf)
        share = np.exp(logits - logits.max(1, keepdims=True))
        share /= share.sum(1, keepdims=True)
        chance = 1 / (1 + np.exp(-out[:, CELLS]))
        back = np.concatenate([share - policy, (chance - won)[:, None]], 1).astype(np.float32) / len(planes)
        loss = -(policy * np.log(share + 1e-9)).sum(1).mean(), ((chance - won) ** 2).mean()
        gradients = [None] * 6
        for layer in (2, 1, 0):
            gradients[layer], gradients[3 + layer] = layers[layer].T @ back, back.sum(0)
            back = (back @ self.weights[layer].T) * (layers[layer] > 0)
        self.steps += 1
        for weight, gradient, (mean, square) in zip(self.weights, gradients, self.means):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            step = mean / (1 - 0.9**self.steps) / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)
            weight -= rate * (step + 1e-4 * weight)
        return loss


def self_play(network, rng):
    """Plays games to their end; returns planes, masks, the policies of the search, and who won for the side to move."""
    games = amazons.Batch(BOARD.start(), GAMES, seed=int(rng.integers(2**32)))
    lessons, turn = [], 0
    while (alive := games.winners() < 0).any():
        noise = rng.dirichlet([0.4] * CELLS, GAMES)
        visits, _ = games.search(network.evaluate, SIMULATIONS, noise=noise)
        lessons.append((games.observations(), games.masks(), visits / SIMULATIONS, games.sides(), alive))
        # The first turns by chance, so that no two games are the same; then the best.
        draws = np.log(np.maximum(visits, 1e-9)) + rng.gumbel(size=visits.shape) if turn < 12 else visits
        games.step(draws.argmax(1))
        turn += 1
    planes, masks, policy, sides, alive = (np.concatenate(part) for part in zip(*lessons))
    won = sides == np.tile(games.winners(), len(lessons))
    return [part[alive] for part in (planes, masks, policy.astype(np.float32), won.astype(np.float32))]


def turned(planes, masks, policy, rng):
    """Turns and mirrors all lessons alike: the game does not know left from right."""
    symmetry = SYMMETRIES[rng.integers(len(SYMMETRIES))]
    planes = planes.reshape(*planes.shape[:2], CELLS)[:, :, symmetry]
    return planes, masks[:, symmetry], policy[:, symmetry]


def score(network, opponent, count, simulations, seed):
    """Plays games in which each has Black in half, and returns the share that the network wins."""
    games = amazons.Batch(BOARD.start(), count, seed=seed)
    own = np.arange(count) % 2
    # Two turns by chance, so that the games differ.
    for _ in range(6):
        games.step(games.sample())
    while (alive := games.winners() < 0).any():
        moves, turn = np.zeros((count, 3), np.int32), games.sides() == own
        chosen = np.flatnonzero(alive & turn)
        if len(chosen):
            # Those games alone in which it is to move.
            some = amazons.Batch([games[index] for index in chosen])
            for part in range(3):
                moves[chosen, part] = some.search(network.evaluate, simulations)[0].argmax(1)
                some.step(moves[chosen, part])
        for index in np.flatnonzero(alive & ~turn):
            moves[index] = list(opponent(games[index].position))
        games.play(moves)
    return (games.winners() == own).mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=8, help="minutes of processor time")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    network, memory, curve = Network(rng), [], []
    chance = np.random.default_rng(2)
    level = amazons.Engine(BOARD, level=1)
    opponents = {
        "random moves": lambda position: position.legal_moves()[int(chance.integers(len(position.legal_moves())))],
        "champion, level 1": level.play,
    }
    generation, games = 0, 0
    end, measured = 60 * options.minutes, 0.0
    while True:
        spent = time.process_time()
        if spent >= measured or spent >= end:
            scores = [score(network, opponent, 64, SIMULATIONS, generation) for opponent in opponents.values()]
            curve.append((games, *scores))
            told = ", ".join(f"{100 * won:.0f} % against {name}" for name, won in zip(opponents, scores))
            print(f"{spent:4.0f} s, {games:6} games: {told}", flush=True)
            measured = spent + end / 12
            if spent >= end:
                break
        memory = [*memory, self_play(network, rng)][-12:]
        planes, masks, policy, won = (np.concatenate(part) for part in zip(*memory))
        for _ in range(80):
            chosen = rng.integers(len(planes), size=256)
            some = turned(planes[chosen], masks[chosen], policy[chosen], rng)
            network.learn(*some, won[chosen], rate=1e-3)
        generation, games = generation + 1, games + GAMES
    draw(np.array(curve), list(opponents))


def draw(curve, names):
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    plt.figure(figsize=(6, 3.5))
    for index, name in enumerate(names, 1):
        plt.plot(curve[:, 0], 100 * curve[:, index], "o-", label=f"against {name}")
    plt.axhline(50, color="gray", linewidth=0.5)
    plt.ylim(-3, 103)
    plt.xlabel("games of self-play")
    plt.ylabel("games won, %")
    plt.legend(loc="center right")
    plt.tight_layout()
    plt.savefig("selfplay.png", dpi=100)
    print("selfplay.png")


if __name__ == "__main__":
    main()
