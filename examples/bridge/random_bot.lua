-- Plays random moves: a whole program for the Amazons engine protocol (docs/protocol.md), on every board.
local board, queen = {}, "Q" -- rows from the top, "." is free
math.randomseed(tonumber(os.getenv("AMAZONS_SEED")) or os.time())
io.stdout:setvbuf("line")

local function square(name)
  local letters, number = name:match("^(%l+)(%d+)$")
  local column = 0
  for letter in letters:gmatch(".") do column = column * 26 + letter:byte() - 96 end
  return { #board + 1 - tonumber(number), column }
end

local function name(at)
  local letters, n = "", at[2] - 1
  while n >= 0 do
    letters, n = string.char(97 + n % 26) .. letters, math.floor(n / 26) - 1
  end
  return letters .. (#board + 1 - at[1])
end

local function set(at, stone) board[at[1]][at[2]] = stone end

-- A position text, then moves.
local function read(text)
  local cells, side = text:match("^(%S+) (%S)")
  board, queen = {}, side == "w" and "Q" or "q"
  for row in cells:gsub("%d+", function(count) return ("."):rep(tonumber(count)) end):gmatch("[^/]+") do
    board[#board + 1] = {}
    for stone in row:gmatch(".") do table.insert(board[#board], stone) end
  end
  for from, to, arrow in (text:match(" moves(.*)") or ""):gmatch("(%w+)-(%w+)/(%w+)") do
    set(square(from), ".")
    set(square(to), queen)
    set(square(arrow), "*")
    queen = queen == "Q" and "q" or "Q"
  end
end

local function slides(at)
  local found = {}
  for direction = 0, 8 do
    local dy, dx = math.floor(direction / 3) - 1, direction % 3 - 1
    local y, x = at[1] + dy, at[2] + dx
    while direction ~= 4 and board[y] and board[y][x] == "." do
      found[#found + 1], y, x = { y, x }, y + dy, x + dx
    end
  end
  return found
end

local function choose()
  local moves = {}
  for y, row in ipairs(board) do
    for x, stone in ipairs(row) do
      if stone == queen then
        row[x] = "."
        for _, to in ipairs(slides({ y, x })) do
          for _, arrow in ipairs(slides(to)) do moves[#moves + 1] = { { y, x }, to, arrow } end
        end
        row[x] = queen
      end
    end
  end
  if #moves == 0 then return "none" end
  local move = moves[math.random(#moves)]
  return name(move[1]) .. "-" .. name(move[2]) .. "/" .. name(move[3])
end

for line in io.lines() do
  local word, rest = line:match("^%s*(%S*)%s*(.*)")
  if word == "aep" then print("id name random bot in Lua\naepok 1")
  elseif word == "isready" then print("readyok")
  elseif word == "position" and rest:match("^fen ") then read(rest:sub(5))
  elseif word == "go" then print("bestmove " .. choose())
  elseif word == "quit" then break end
end
