// The values of the server's pages, written by tests/page_types.rs.

type AnalysisFailure = { error: string | null, };

type AnalysisState = { state: string, 
/**
 * The number of moves that are annotated, of so many.
 */
ply: number, of: number | null, };

type BoardEvent = { 
/**
 * `c`, `d`, `t` or `8`; null on a rectangle that is not square.
 */
shape: string | null, 
/**
 * Number of columns; the m of a shape.
 */
columns: number, 
/**
 * Number of rows; the m of a shape.
 */
rows: number, 
/**
 * The ids that are not vertices.
 */
holes: Array<number>, };

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

type EventKind = "ladder" | "tournament";

type EventState = { kind: EventKind, sentence: string, pairs: number | null, planned: number | null, is_complete: boolean | null, is_at_work: boolean, };

type EventSummary = { id: string, title: string, };

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

type GameList = { 
/**
 * The game that is played here.
 */
playing: ListedGame | null, list: GamePage | null, };

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

type HintView = { text: string, 
/**
 * Its player's chance of winning.
 */
win: number, };

type Meeting = { players: [string, string], games: number, points: number, points_against: number, };

type Offers = { 
/**
 * Whether it analyses games and positions.
 */
offered: boolean, 
/**
 * The players that visitors may play against.
 */
opponents: Array<string>, };

type OpenStage = { name: string, deadline: number, is_late: boolean, };

type OwnStage = { name: string, deadline: number, 
/**
 * How many seconds longer versions are taken and marked as late.
 */
grace: number, };

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

type PlayerView = { rank: number | null, name: string, version: number | null, elo: number, error: number, glicko: number | null, glicko_error: number | null, points: number, points_max: number, games: number, won: number, lost: number, at_fault: number, faults: { [key in string]: number }, };

type PositionView = { board: BoardEvent, position: string, };

type PublishedBoard = { name: string, columns: number, rows: number, holes: Array<number> | null, };

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

type PublishedGame = [number, number, number, number, number, number | null, number, string | null, string | null];

type PublishedGames = { games: Array<PublishedGame>, players: Array<string>, boards: Array<PublishedBoard>, endings: Array<string | null>, };

type PublishedMoves = [string, string, string, string | null];

type PuzzleBoard = { columns: number, rows: number, holes: Array<number>, };

type PuzzleView = { board: PuzzleBoard, position: string, answer: string, lure: string, 
/**
 * Those of the proof.
 */
positions: number, visits: number | null, players: [string | null, string | null], ply: number, played: string | null, 
/**
 * The reply to each other move, and the positions of its proof.
 */
wrong: { [key in string]: [string, number] }, };

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

type RefusedView = { name: string, reason: string | null, };

type Running = { pair: number, 
/**
 * The players, as `name#version`.
 */
players: [string, string], board: string, };

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

type TeamFault = { game: string, player: string, opponent: string, kind: string, has_log: boolean, };

type TeamLoss = { game: string, opponent: string, elo: number, board: string, moves: number, };

type TeamResults = { faults: Array<TeamFault>, faults_total: number, opponents: { [key in string]: [PlayerScore, PlayerScore] }, boards: { [key in string]: [PlayerScore, PlayerScore] }, losses: Array<TeamLoss>, times: TeamTimes, 
/**
 * The player whose games are those of the version that plays.
 */
plays_as: string | null, };

type TeamTimes = { games: number, moves: number, charged: [number, number, number] | null, waited: [number, number, number] | null, };

type TeamView = { team: string, display: string | null, title: string, is_withdrawn: boolean, is_frozen: boolean, is_over: boolean, playing: number | null, stage: OpenStage | null, stages: Array<OwnStage>, left: number, upload_max: number, versions: Array<VersionView>, results: TeamResults | null, };

type Turn = { 
/**
 * The number of moves played before the requested one, if one is requested.
 */
ply: number | null, 
/**
 * The number of the request, which unlike its ply never repeats.
 */
turn: number | null, 
/**
 * Whether the person has a move to take back.
 */
can_take_back: boolean, 
/**
 * The time for each move.
 */
limit_ms: number | null, 
/**
 * The time left.
 */
left_ms: number | null, 
/**
 * Whether the game is over.
 */
over: boolean, 
/**
 * Whether another game can be asked for.
 */
rematch: boolean, };

type VersionView = { state: string, reasons: Array<string>, files: Array<string>, 
/**
 * Counts the team's versions from 1.
 */
version: number, 
/**
 * The hash of the upload.
 */
sha256: string, 
/**
 * The size of the upload.
 */
bytes: number, 
/**
 * When it came, in seconds since 1970.
 */
at: number, 
/**
 * Whether it is only tried out; one that somebody chooses is no trial any more.
 */
is_trial: boolean, 
/**
 * The stage that it counts for by the deadlines of now; none after the last one.
 */
stage: string | null, 
/**
 * Whether it came after the deadline of that stage, or of all.
 */
is_late: boolean, 
/**
 * When that was.
 */
since: number, };
