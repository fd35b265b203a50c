"""Boards, moves, positions and games."""

import collections.abc
import copy
import functools
import itertools
import multiprocessing
import pickle
import re
import weakref

import amazons
import numpy as np
import pytest
from amazons import Board, Game, Move, Position

SHAPES = ["square", "donut", "clover", "figure-eight"]


@pytest.mark.parametrize("shape", SHAPES)
def test_boards(shape):
    board = Board(shape, 9)
    assert (board.shape, board.columns, board.rows, len(board)) == (shape, 9, 9, 81 - len(board.holes))
    assert sorted(board.vertices + board.holes) == list(range(81))
    assert all(vertex in board for vertex in board.vertices) and not any(hole in board for hole in board.holes)
    assert board == Board.from_name(board.name) == eval(repr(board)) and hash(board) == hash(Board(shape, 9))
    assert board != Board(shape, 10) and board != "c9"
    assert [board.vertex(board.square(vertex)) for vertex in board.vertices] == board.vertices


def test_rectangles_have_no_start():
    board = Board.rectangle(7, 5)
    assert (board.name, board.shape, eval(repr(board))) == ("7x5", None, board)
    assert Board.rectangle(10, 10) == Board("square", 10)
    with pytest.raises(ValueError, match="7x5 has no start: give a position text"):
        board.start()


def test_a_game_is_played_and_taken_back():
    position = Board("square", 10).position(amazons.STANDARD)
    assert str(position) == amazons.STANDARD and position.side_to_move == "white" and position.move_number == 1
    moves = position.legal_moves()
    assert len(moves) == 2176 == position.perft(1) and position.perft(2) == 4_307_152
    texts = ["d1-d7/g7", "a7-b6/b1", "d7,d2,d3"]
    for text in texts:
        assert position.is_legal(text)
        position.push(text)
    assert [str(move) for move in position.moves] == ["d1-d7/g7", "a7-b6/b1", "d7-d2/d3"]
    assert position.arrows == [position.board.vertex(square) for square in ("g7", "d3", "b1")]
    assert str(position.pop()) == "d7-d2/d3"
    position.pop(), position.pop()
    assert str(position) == amazons.STANDARD
    with pytest.raises(IndexError, match="no move was pushed"):
        position.pop()


def test_moves_unpack_and_lists_are_sequences():
    board = Board("donut", 9)
    moves = board.start().legal_moves()
    origin, target, arrow = moves[0]
    assert Move(board, origin, target, arrow) == moves[0] == board.move(str(moves[0])) and moves[0] in moves
    assert hash(moves[0]) == hash(board.move(str(moves[0]))) and moves[0].board == board
    assert [*moves] == [moves[index] for index in range(len(moves))] and moves[-1] == [*moves][-1]
    for part in (slice(3, 9, 2), slice(None, None, -1), slice(-4, None), slice(5, 5), slice(9999, 3, -7)):
        assert [*moves[part]] == [*moves][part]
    assert moves.array().tolist() == [list(move) for move in moves]
    assert repr(moves[:1]) == f"<MoveList of 1: {moves[0]}>"
    with pytest.raises(IndexError, match=f"no move {len(moves)}: the list has {len(moves)}"):
        moves[len(moves)]
    assert isinstance(moves, collections.abc.Sequence) and [*reversed(moves)] == [*moves][::-1]
    assert moves.index(moves[7]) == moves.index(str(moves[7])) == 7 and moves.index(moves[7], -len(moves), 8) == 7
    assert str(moves[3]) in moves and "zz" not in moves and 3 not in moves and None not in moves
    assert moves.count(str(moves[3])) == 1 and moves[:2].count(moves[3]) == moves.count("zz") == 0
    for absent in ("zz", "a1-a2/a1", Board("donut", 10).start().legal_moves()[0]):
        with pytest.raises(ValueError, match="is not in the list"):
            moves.index(absent)
    with pytest.raises(ValueError, match="is not in the list"):
        moves.index(moves[7], 8)


def test_no_text_but_a_legal_move_is_legal():
    position = Board("square", 6).start()
    assert position.is_legal("b6-b2/d4") and not position.is_legal("b6-b2/d5")
    assert not any(position.is_legal(text) for text in ("zz", "", "z9-z8/z7"))
    assert not position.is_legal(Board("square", 10).start().legal_moves()[0])
    with pytest.raises(TypeError, match="expected a Move or its text"):
        position.is_legal(None)


@pytest.mark.parametrize(
    ("name", "count"), [("c6", 8), ("d9", 8), ("t10", 8), ("8-8", 4), ("7x5", 4)]
)
def test_symmetries_turn_positions_into_legal_ones(name, count):
    board = Board.from_name(name)
    symmetries = board.symmetries()
    assert symmetries.shape == (count, board.columns * board.rows) and symmetries.dtype == np.int64
    assert symmetries[0].tolist() == list(range(board.columns * board.rows)) and len(np.unique(symmetries, axis=0)) == count
    position = board.position("q4q1/7/7/7/1Q4Q w") if name == "7x5" else board.start()
    for symmetry, back in zip(symmetries, np.argsort(symmetries, axis=1), strict=True):
        cells = position.array().reshape(-1)[symmetry].reshape(board.rows, board.columns)
        turned, state = amazons.State(board.position(text_of(cells, position.side_to_move))), amazons.State(position)
        for choice in (0, -1, 0):
            assert (turned.mask() == state.mask()[symmetry]).all()
            planes = state.observation().reshape(len(amazons.PLANES), -1)[:, symmetry]
            assert (turned.observation().reshape(len(amazons.PLANES), -1) == planes).all()
            action = state.legal_actions()[choice]
            state.apply(action)
            turned.apply(back[action])


def text_of(cells, side):
    """Writes a position text."""
    rows = ["".join(" qQ**"[cell] for cell in row) for row in cells]
    runs = ["".join(str(len(list(run))) if cell == " " else cell * len(list(run)) for cell, run in itertools.groupby(row)) for row in rows]
    return "/".join(runs) + f" {side[0]}"


@pytest.mark.parametrize("name", ["c5", "d9", "t10", "8-8", "7x5"])
def test_positions_are_values(name):
    board = Board.from_name(name)
    position = board.position("1q4q/7/7/7/1Q4Q w - - 0 7") if name == "7x5" else board.start()
    position.push(position.legal_moves()[5])
    first = str(position)
    for same in (position.copy(), copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert same == position and hash(same) == hash(position) and same.moves == position.moves
        assert [*same.legal_moves()] == [*position.legal_moves()] and str(same) == first
        same.push(same.legal_moves()[0])
        assert same != position and str(position) == first
    assert board.position(first) == position
    state = amazons.State(position)
    state.apply(state.legal_actions()[0])
    again = pickle.loads(pickle.dumps(state))
    assert (again.phase, again.origin, again.position) == (1, state.origin, position)
    state.apply(state.legal_actions()[0])
    for same in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert same == state and hash(same) == hash(state) and same != again
        # The copy knows its history.
        assert [same.undo() for _ in range(5)] == [state.target, state.origin, *[*state.position.moves[0]][::-1]]
        assert same != state and state.position == position
    moves = position.legal_moves()
    assert pickle.loads(pickle.dumps(moves[0])) == moves[0]
    assert copy.copy(moves) == pickle.loads(pickle.dumps(moves)) == moves


def test_results_leave_a_worker():
    """A pool of processes returns all values."""
    position = Board("donut", 6).start()
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        results = pool.map(worked, [position] * 3)
        engine = amazons.Engine(position.board, memory=64 << 20)
        chances = pool.map(functools.partial(engine.analyse, nodes=50), [position] * 2)
    for analysis, line, moves, game, batch in results:
        assert analysis.nodes >= 50 and analysis.lines[0].moves[0] == analysis.best == line.moves[0]
        assert repr(line) == repr(analysis.lines[0]) and analysis.ownership.shape == (2, 6, 6)
        assert moves == position.legal_moves() and game.moves[0] == moves[0] and len(batch) == 4
    assert chances[0].chance == chances[1].chance == results[0][0].chance


def worked(position):
    analysis = amazons.Engine(position.board, memory=64 << 20).analyse(position, nodes=50, ownership=True)
    game = Game(position)
    game.push(position.legal_moves()[0])
    return analysis, analysis.lines[0], position.legal_moves(), game, amazons.Batch(position, 4)


def test_the_array_shows_every_cell():
    position = Board("donut", 6).start()
    position.push(position.legal_moves()[0])
    array, board = position.array(), position.board
    flat = array.flatten().tolist()
    at = {1: position.queens("black"), 2: position.queens("white"), 3: position.arrows, 4: board.holes}
    assert array.shape == (6, 6) and array.dtype == "int8"
    assert {kind: [v for v in range(36) if flat[v] == kind] for kind in at} == {k: sorted(v) for k, v in at.items()}


def test_a_blocked_side_has_lost():
    position = Position.from_text("q*3/**3/5/5/4Q b")
    assert position.is_over and position.winner == "white" and len(position.legal_moves()) == 0
    going = Board("square", 5).start()
    assert not going.is_over and going.winner is None


def test_the_start_of_each_shape_is_that_of_the_rules():
    assert [Board(shape, 8).start().perft(2) for shape in SHAPES] == PERFT


# From `server perft -m 8 -t SHAPE --depth 2`.
PERFT = [1331198, 87524, 841168, 229514]


def test_objects_can_be_referred_to_weakly():
    position = Board("clover", 10).start()
    objects = [position.board, position, amazons.State(position), amazons.Batch(position, 1), Game(position)]
    references = [weakref.ref(one) for one in objects]
    assert [reference() is one for reference, one in zip(references, objects, strict=True)] == [True] * 5
    assert repr(objects[3]) == "<Batch of 1 games on t10>"


def test_pictures_for_notebooks():
    position = Board("clover", 10).start()
    assert amazons.State(position)._repr_html_() == position._repr_html_()
    assert position._repr_svg_().startswith("<svg ")
    assert re.fullmatch(r'<img alt="[^"]+" src="data:image/svg\+xml;base64,[A-Za-z0-9+/=]+">', position._repr_html_())
    page = Game(position)._repr_html_()
    assert page.startswith('<iframe srcdoc="') and page.count('"') == 8


@pytest.mark.parametrize("format", ["json", "sgf", "pgn"])
def test_games_are_written_and_read(format):
    game = Game(Board("figure-eight", 8).start(), black="ann", white="bob")
    position = game.start
    while not position.is_over:
        moves = position.legal_moves()
        move = moves[len(game) % len(moves)]
        comment = "a remark" if len(game) == 1 else None
        game.push(move, seconds=0.5, value=-0.25, comment=comment)
        position.push(move)
    game.end(position.winner)
    assert (game.position, game.moves, game.ending) == (position, position.moves, "no_moves")
    again = Game.from_bytes(game.to_bytes(format), format)
    assert (again.moves, again.winner, again.ending, again.start) == (game.moves, game.winner, game.ending, game.start)
    assert (again.seconds[0], again.values[0], again.comments[1]) == (0.5, -0.25, "a remark")
    assert again.details["black"] == "ann" and "ann (black), bob (white)" in repr(again)
    assert again.at(0) == game.start and again.at(len(again)) == position
    assert again.at(2).moves == again.moves[:2] and again.position.moves == again.moves
    assert pickle.loads(pickle.dumps(game)).to_bytes(format) == copy.deepcopy(game).to_bytes(format) == game.to_bytes(format)
    assert pickle.loads(pickle.dumps(again)).details == again.details
    with pytest.raises(IndexError, match=f"the game has {len(game)} moves"):
        game.at(len(game) + 1)
