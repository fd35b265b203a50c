# Plays random moves: a whole program for the Amazons engine protocol (docs/protocol.md), on every board.
STEPS = [-1, 0, 1].product([-1, 0, 1]) - [[0, 0]]
$stdout.sync = true
@board = [] # rows from the top, '.' is free

def square(name)
  letters, number = name.match(/\A([a-z]+)(\d+)\z/).captures
  [@board.size - number.to_i, letters.bytes.reduce(0) { |sum, letter| sum * 26 + letter - 96 } - 1]
end

def name((y, x))
  letters = ''
  until x < 0
    letters = (97 + x % 26).chr + letters
    x = x / 26 - 1
  end
  "#{letters}#{@board.size - y}"
end

# A position text, then moves.
def read(text, side, *rest)
  @board = text.gsub(/\d+/) { |count| '.' * count.to_i }.split('/').map(&:chars)
  @queen = side == 'w' ? 'Q' : 'q'
  moves = rest.include?('moves') ? rest.drop(rest.index('moves') + 1) : []
  moves.each do |move|
    from, to, arrow = move.split(%r{[-/]}).map { |name| square(name) }
    @board[from[0]][from[1]] = '.'
    @board[to[0]][to[1]] = @queen
    @board[arrow[0]][arrow[1]] = '*'
    @queen = @queen == 'Q' ? 'q' : 'Q'
  end
end

def slides((y, x))
  STEPS.flat_map do |dy, dx|
    (1..).lazy.map { |n| [y + n * dy, x + n * dx] }
         .take_while { |r, c| r >= 0 && c >= 0 && @board.dig(r, c) == '.' }.to_a
  end
end

def choose
  moves = []
  @board.each_with_index do |row, y|
    row.each_index.select { |x| row[x] == @queen }.each do |x|
      row[x] = '.'
      slides([y, x]).each { |to| slides(to).each { |arrow| moves << [[y, x], to, arrow] } }
      row[x] = @queen
    end
  end
  moves.empty? ? 'none' : format('%s-%s/%s', *moves.sample.map { |place| name(place) })
end

while (line = gets)
  word, *words = line.split
  case word
  when 'aep' then puts 'id name random bot in Ruby', 'aepok 1'
  when 'isready' then puts 'readyok'
  when 'position' then read(*words.drop(1)) if words[0] == 'fen'
  when 'go' then puts "bestmove #{choose}"
  when 'quit' then break
  end
end
