import java.io.*;
import java.security.SecureRandom;
import java.util.*;

/** Plays random moves: a whole program for the Amazons engine protocol (docs/protocol.md), on every board. */
public class RandomBot {
    static char[][] board = {}; // rows from the top, '.' is free
    static char queen = 'Q';

    static int[] square(String name) {
        String letters = name.replaceAll("\\d", "");
        int column = letters.chars().reduce(0, (sum, letter) -> sum * 26 + letter - 96) - 1;
        return new int[] {board.length - Integer.parseInt(name.substring(letters.length())), column};
    }

    static String name(int[] at) {
        String letters = "";
        for (int n = at[1]; n >= 0; n = n / 26 - 1) letters = (char) ('a' + n % 26) + letters;
        return letters + (board.length - at[0]);
    }

    /** A position text, then moves. */
    static void read(List<String> words) {
        board = Arrays.stream(words.get(0).split("/")).map(row -> {
            StringBuilder cells = new StringBuilder();
            for (String part : row.split("(?<=\\D)|(?<=\\d)(?=\\D)"))
                cells.append(Character.isDigit(part.charAt(0)) ? ".".repeat(Integer.parseInt(part)) : part);
            return cells.toString().toCharArray();
        }).toArray(char[][]::new);
        queen = words.get(1).equals("w") ? 'Q' : 'q';
        int moves = words.indexOf("moves");
        for (String move : moves < 0 ? List.<String>of() : words.subList(moves + 1, words.size())) {
            int[][] at = Arrays.stream(move.split("[-/]")).map(RandomBot::square).toArray(int[][]::new);
            for (int i = 0; i < 3; i++) board[at[i][0]][at[i][1]] = new char[] {'.', queen, '*'}[i];
            queen = queen == 'Q' ? 'q' : 'Q';
        }
    }

    static List<int[]> slides(int[] at) {
        List<int[]> found = new ArrayList<>();
        for (int direction = 0; direction < 9; direction++) {
            int dy = direction / 3 - 1, dx = direction % 3 - 1;
            for (int y = at[0] + dy, x = at[1] + dx; isFree(y, x) && direction != 4; y += dy, x += dx)
                found.add(new int[] {y, x});
        }
        return found;
    }

    static boolean isFree(int y, int x) {
        return y >= 0 && y < board.length && x >= 0 && x < board[y].length && board[y][x] == '.';
    }

    static String choose(Random random) {
        List<int[][]> moves = new ArrayList<>();
        for (int y = 0; y < board.length; y++)
            for (int x = 0; x < board[y].length; x++) {
                if (board[y][x] != queen) continue;
                board[y][x] = '.';
                for (int[] to : slides(new int[] {y, x}))
                    for (int[] arrow : slides(to)) moves.add(new int[][] {{y, x}, to, arrow});
                board[y][x] = queen;
            }
        if (moves.isEmpty()) return "none";
        int[][] move = moves.get(random.nextInt(moves.size()));
        return name(move[0]) + "-" + name(move[1]) + "/" + name(move[2]);
    }

    public static void main(String[] args) throws IOException {
        Random random = new SecureRandom();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) {
            List<String> words = Arrays.asList(line.trim().split("\\s+"));
            switch (words.get(0)) {
                case "aep": System.out.println("id name random bot in Java\naepok 1"); break;
                case "isready": System.out.println("readyok"); break;
                case "position": if (words.indexOf("fen") == 1) read(words.subList(2, words.size())); break;
                case "go": System.out.println("bestmove " + choose(random)); break;
                case "quit": return;
            }
        }
    }
}
