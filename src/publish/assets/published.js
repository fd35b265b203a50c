// Published pages: what a server would answer stands in scripts beside them, so that they can be opened from a disk, too.
"use strict";

const published = {
  // data/event.js: what the page of the event shows.
  event: /** @type {PublishedEvent} */ ({}),
  // data/games.js.
  /** @type {PublishedGames["games"]} */
  games: [],
  /** @type {PublishedGames["players"]} */
  players: [],
  /** @type {PublishedGames["boards"]} */
  boards: [],
  /** @type {PublishedGames["endings"]} */
  endings: [],
  /** data/records-N.js, by the games' names.
   * @type {Record<string, PublishedMoves>} */
  records: {},
  PAGE: 50,

  placeOf(path) {
    const [, kind, id] = /^\/(?:(game|event)\/)?(.*)$/.exec(path);
    return kind === "game" ? `game.html?${id}` : kind ? "index.html" : "games.html";
  },

  /** Returns a game as a server lists it.
   * @param {PublishedGame} game @param {number} at */
  row([pair, number, black, white, board, moves, ending, winner, position], at) {
    const id = `${pair}-${number}`;
    const { name, ...squares } = this.boards[board];
    return {
      id, at, name: id, state: "over", black: this.players[black], white: this.players[white], board: name, ...squares, moves, ending: this.endings[ending], winner, position,
    };
  },

  // Returns the page of the event with its last games.
  told() {
    const games = this.games.slice(-30).reverse().map((game, at) => {
      const row = this.row(game, at);
      const winner = [null, "black", "white"].indexOf(row.winner);
      return { ...row, pair: game[0], game: game[1], players: [row.black, row.white], winner, termination: row.ending, logs: [], row: at < 5 ? row : null };
    });
    return { ...this.event, games };
  },

  // Lists the games that somebody wants, as the server does.
  list({ page, sort, reverse, player, board, ending, search }) {
    this.rows ??= this.games.map((game, at) => this.row(game, at));
    const words = search.toLowerCase().split(/\s+/);
    const is = (wanted, ...found) => !wanted || found.includes(wanted);
    const found = this.rows.filter((row) => {
      const text = `${row.id} ${row.black} ${row.white}`.toLowerCase();
      return is(player, row.black, row.white) && is(board, row.board) && is(ending, row.ending) && words.every((word) => text.includes(word));
    });
    const key = ["time", "name"].includes(sort) ? "at" : sort;
    const up = ["time", "moves"].includes(sort) === Boolean(reverse) ? 1 : -1;
    found.sort((one, two) => up * (Number(one[key] > two[key]) - Number(one[key] < two[key])) || one.at - two.at);
    const pages = Math.max(1, Math.ceil(found.length / this.PAGE));
    const shown = Math.min(page, pages - 1);
    const choices = (...keys) => [...new Set(this.rows.flatMap((row) => keys.map((name) => row[name])))].sort();
    return {
      list: {
        total: found.length, page: shown, pages, games: found.slice(this.PAGE * shown, this.PAGE * (shown + 1)),
        players: choices("black", "white"), boards: choices("board"), endings: choices("ending"),
      },
    };
  },
};
window.published = published;
