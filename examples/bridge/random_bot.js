// Plays random moves: a whole program for the Amazons engine protocol (docs/protocol.md), on every board.
const { randomInt } = require('node:crypto');

let board = []; // rows from the top, '.' is free
let queen = 'Q';

function square(name) {
  const [, letters, number] = name.match(/^([a-z]+)(\d+)$/);
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0);
  return [board.length - number, column - 1];
}

function name([y, x]) {
  const letters = (n) => (n < 0 ? '' : letters(Math.floor(n / 26) - 1) + String.fromCharCode(97 + (n % 26)));
  return letters(x) + (board.length - y);
}

// A position text, then moves.
function read([text, side, ...rest]) {
  const cells = (part) => (/\d/.test(part) ? '.'.repeat(part) : part);
  board = text.split('/').map((row) => [...row.match(/\d+|\D/g).map(cells).join('')]);
  queen = side === 'w' ? 'Q' : 'q';
  const moves = rest.includes('moves') ? rest.slice(rest.indexOf('moves') + 1) : [];
  for (const move of moves) {
    const [from, to, arrow] = move.split(/[-/]/).map(square);
    board[from[0]][from[1]] = '.';
    board[to[0]][to[1]] = queen;
    board[arrow[0]][arrow[1]] = '*';
    queen = queen === 'Q' ? 'q' : 'Q';
  }
}

function slides([y, x]) {
  const found = [];
  for (const [dy, dx] of [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]]) {
    for (let r = y + dy, c = x + dx; board[r]?.[c] === '.'; r += dy, c += dx) found.push([r, c]);
  }
  return found;
}

function choose() {
  const moves = [];
  board.forEach((row, y) => row.forEach((stone, x) => {
    if (stone !== queen) return;
    row[x] = '.';
    for (const to of slides([y, x])) for (const arrow of slides(to)) moves.push([[y, x], to, arrow]);
    row[x] = queen;
  }));
  if (moves.length === 0) return 'none';
  const [from, to, arrow] = moves[randomInt(moves.length)].map(name);
  return `${from}-${to}/${arrow}`;
}

require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const words = line.trim().split(/\s+/);
  if (words[0] === 'aep') console.log('id name random bot in JavaScript\naepok 1');
  else if (words[0] === 'isready') console.log('readyok');
  else if (words[0] === 'position' && words[1] === 'fen') read(words.slice(2));
  else if (words[0] === 'go') console.log(`bestmove ${choose()}`);
  else if (words[0] === 'quit') process.exit();
});
