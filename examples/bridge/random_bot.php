<?php // Plays random moves: a whole program for the Amazons engine protocol (docs/protocol.md), on every board.
$board = []; // rows from the top, '.' is free
$queen = 'Q';

function square(string $name): array {
    global $board;
    preg_match('/^([a-z]+)(\d+)$/', $name, $parts);
    $column = array_reduce(str_split($parts[1]), fn($sum, $letter) => $sum * 26 + ord($letter) - 96, 0);
    return [count($board) - $parts[2], $column - 1];
}

function name(array $at): string {
    global $board;
    for ($letters = '', $n = $at[1]; $n >= 0; $n = intdiv($n, 26) - 1) $letters = chr(97 + $n % 26) . $letters;
    return $letters . (count($board) - $at[0]);
}

// A position text, then moves.
function read(array $words): void {
    global $board, $queen;
    $text = preg_replace_callback('/\d+/', fn($count) => str_repeat('.', (int) $count[0]), $words[0]);
    $board = array_map('str_split', explode('/', $text));
    $queen = $words[1] === 'w' ? 'Q' : 'q';
    $moves = array_search('moves', $words);
    foreach ($moves === false ? [] : array_slice($words, $moves + 1) as $move) {
        [$from, $to, $arrow] = array_map('square', preg_split('/[-\/]/', $move));
        $board[$from[0]][$from[1]] = '.';
        $board[$to[0]][$to[1]] = $queen;
        $board[$arrow[0]][$arrow[1]] = '*';
        $queen = $queen === 'Q' ? 'q' : 'Q';
    }
}

function slides(array $at): array {
    global $board;
    $found = [];
    foreach ([[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]] as [$dy, $dx])
        for ($y = $at[0] + $dy, $x = $at[1] + $dx; ($board[$y][$x] ?? '') === '.'; $y += $dy, $x += $dx)
            $found[] = [$y, $x];
    return $found;
}

function choose(): string {
    global $board, $queen;
    $moves = [];
    foreach ($board as $y => $row)
        foreach (array_keys($row, $queen, true) as $x) {
            $board[$y][$x] = '.';
            foreach (slides([$y, $x]) as $to) foreach (slides($to) as $arrow) $moves[] = [[$y, $x], $to, $arrow];
            $board[$y][$x] = $queen;
        }
    return $moves ? vsprintf('%s-%s/%s', array_map('name', $moves[random_int(0, count($moves) - 1)])) : 'none';
}

while (($line = fgets(STDIN)) !== false) {
    $words = preg_split('/\s+/', trim($line));
    if ($words[0] === 'aep') echo "id name random bot in PHP\naepok 1\n";
    elseif ($words[0] === 'isready') echo "readyok\n";
    elseif ($words[0] === 'position' && ($words[1] ?? '') === 'fen') read(array_slice($words, 2));
    elseif ($words[0] === 'go') echo 'bestmove ', choose(), "\n";
    elseif ($words[0] === 'quit') break;
}
