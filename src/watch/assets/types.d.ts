// The values of src/watch/event_view.rs, written by tests/watch/types.rs.

type EventView = { id: string, title: string, 
/**
 * Seconds of the epoch.
 */
changed: number, 
/**
 * Whether a server works on it.
 */
is_at_work: boolean, about: string | null, 
/**
 * The number of pairs, where it is known from the start.
 */
planned: number | null, 
/**
 * The last games, newest first.
 */
games: Array<EventGame>, kind: EventKind, sentence: string, 
/**
 * Whole pairs, and games; nothing before there is a table.
 */
pairs: number | null, count: number | null, 
/**
 * Not known of a ladder.
 */
is_complete: boolean | null, players: Array<PlayerView>, 
/**
 * Nothing where there are too many players.
 */
meetings: Array<Meeting> | null, boards: Array<BoardRow>, notices: Array<string>, refused: Array<RefusedView>, running: Array<Running>, };

type PublishedEvent = { title: string, about: string, 
/**
 * Seconds of the epoch.
 */
changed: number, 
/**
 * How each player did on each board.
 */
by_board: { [key in string]: { [key in string]: PlayerScore } }, history: RatingHistory, 
/**
 * How many pairs' moves are in one script.
 */
chunk: number, kind: EventKind, sentence: string, 
/**
 * Whole pairs, and games; nothing before there is a table.
 */
pairs: number | null, count: number | null, 
/**
 * Not known of a ladder.
 */
is_complete: boolean | null, players: Array<PlayerView>, 
/**
 * Nothing where there are too many players.
 */
meetings: Array<Meeting> | null, boards: Array<BoardRow>, notices: Array<string>, refused: Array<RefusedView>, running: Array<Running>, };

type EventSummary = { id: string, title: string, };

type EventState = { kind: EventKind, sentence: string, pairs: number | null, planned: number | null, is_complete: boolean | null, is_at_work: boolean, };

type TableView = { kind: EventKind, sentence: string, 
/**
 * Whole pairs, and games; nothing before there is a table.
 */
pairs: number | null, count: number | null, 
/**
 * Not known of a ladder.
 */
is_complete: boolean | null, players: Array<PlayerView>, 
/**
 * Nothing where there are too many players.
 */
meetings: Array<Meeting> | null, boards: Array<BoardRow>, notices: Array<string>, refused: Array<RefusedView>, running: Array<Running>, };

type EventKind = "ladder" | "tournament";

type PlayerView = { rank: number | null, name: string, version: number | null, elo: number, error: number, glicko: number | null, glicko_error: number | null, points: number, points_max: number, games: number, won: number, lost: number, at_fault: number, faults: { [key in string]: number }, };

type RefusedView = { name: string, reason: string | null, };

type Meeting = { players: [string, string], games: number, points: number, points_against: number, };

type EventGame = { pair: number, game: number, players: [string, string], 
/**
 * 1 or 2; nothing for a draw.
 */
winner: number | null, moves: number, termination: string, 
/**
 * Its name in addresses, if it has a record.
 */
id: string | null, 
/**
 * The players whose output was kept.
 */
logs: Array<number>, 
/**
 * For a drawing, of few games.
 */
row: ListedGame | null, };

type BoardRow = { board: string, 
/**
 * How many games.
 */
games: number, 
/**
 * Games won by the player that moved first after the opening.
 */
first_won: number, 
/**
 * Draws.
 */
nobody_won: number, 
/**
 * The share of points of the player that moved first, 0 to 1.
 */
first_score: number, 
/**
 * Its 95 % interval (Wilson).
 */
interval: [number, number], 
/**
 * The mean number of moves after the opening.
 */
moves: number, };

type Running = { pair: number, 
/**
 * The players, as `name#version`.
 */
players: [string, string], 
/**
 * On which board.
 */
board: string, };

type RatingHistory = { 
/**
 * How many games were rated by then.
 */
games: Array<number>, 
/**
 * For each player that plays its rating and the half-width of its 95 % interval, those of the version that played
 * last; null before its first pair.
 */
players: { [key in string]: Array<[number, number] | null> }, };

type PlayerScore = { 
/**
 * A point for each win, half a point for each draw.
 */
points: number, 
/**
 * How many games.
 */
games: number, 
/**
 * The kinds of its faults.
 */
faults: { [key in string]: number }, };

type GamePage = { total: number, page: number, pages: number, games: Array<ListedGame>, players: Array<string>, boards: Array<string>, endings: Array<string>, };

type GameRow = { id: string, name: string, state: GameStatus, 
/**
 * Seconds of the epoch.
 */
modified: number, 
/**
 * The error in the record.
 */
error: string | null, };

type GameStatus = "live" | "over" | "cut_off" | "broken";

type Summary = { black: string, white: string, 
/**
 * The board in words.
 */
board: string, columns: number, rows: number, 
/**
 * The number of moves; unknown while a fault is the last event.
 */
moves: number | null, 
/**
 * The ending; null while the game is running or if unknown.
 */
ending: string | null, 
/**
 * `black`, `white`, or null.
 */
winner: string | null, 
/**
 * The last position of a game that is over, and the holes of the board, unless it is large.
 */
position: string | null, holes: Array<number>, };

type ListedEvent = EventSummary & Partial<EventState>;

type ListedGame = GameRow & Partial<Summary>;
