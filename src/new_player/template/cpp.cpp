// A player in C++17. Begin with Game::choose(), which decides on a move; the rest keeps the board up to date.
//
// The server runs each game in a process of its own, so there is one game.
#include <cstdio>
#include <climits>
#include <cstdlib>
#include <exception>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#define AMAZONS_NO_GSL // the matrix is the struct of graph.h, whether GSL is installed or not
#include "player.h"

namespace {

constexpr char NAME[] = "{name}";
constexpr unsigned NOWHERE = UINT_MAX;
constexpr move_t NO_MOVE{NOWHERE, NOWHERE, NOWHERE};

class Game {
public:
    Game(unsigned me, graph_t const &graph, unsigned num_queens, unsigned *const queens[NUM_PLAYERS])
        : me(me), next(read(*graph.t)), taken(next.size()), random(seed())
    {
        for (unsigned player = 0; player < NUM_PLAYERS; player++) {
            this->queens[player].assign(queens[player], queens[player] + num_queens);
            for (unsigned queen : this->queens[player])
                taken.at(queen) = true;
        }
    }

    move_t play(move_t previous)
    {
        if (previous.queen_src != NOWHERE)
            apply(1 - me, previous);
        move_t const move = choose();
        if (move.queen_src != NOWHERE)
            apply(me, move);
        return move;
    }

private:
    using Neighbours = std::vector<unsigned>; // by direction; NOWHERE where there is none

    unsigned me;
    std::vector<Neighbours> next;
    std::vector<bool> taken; // is there a queen or an arrow?
    std::vector<unsigned> queens[NUM_PLAYERS];
    std::mt19937 random;

    // A random queen, step and arrow, among those that there are.
    move_t choose()
    {
        std::vector<move_t> moves;
        for (unsigned queen : queens[me]) {
            taken[queen] = false;
            for (unsigned to : slides(queen))
                for (unsigned arrow : slides(to))
                    moves.push_back({queen, to, arrow});
            taken[queen] = true;
        }
        if (moves.empty())
            return NO_MOVE;
        return moves[std::uniform_int_distribution<std::size_t>(0, moves.size() - 1)(random)];
    }

    std::vector<unsigned> slides(unsigned from) const
    {
        std::vector<unsigned> found;
        for (int direction = FIRST_DIR; direction <= LAST_DIR; direction++)
            for (unsigned v = next[from][direction]; v != NOWHERE && !taken[v]; v = next[v][direction])
                found.push_back(v);
        return found;
    }

    void apply(unsigned player, move_t const &move)
    {
        for (unsigned &queen : queens[player])
            if (queen == move.queen_src)
                queen = move.queen_dst;
        taken.at(move.queen_src) = false;
        taken.at(move.queen_dst) = taken.at(move.arrow_dst) = true;
    }

    // The neighbours of each vertex. Servers hand over CSR; some call the same arrays COO.
    static std::vector<Neighbours> read(gsl_spmatrix_uint const &t)
    {
        if (t.sptype == GSL_SPMATRIX_CSC)
            throw std::runtime_error("the matrix is stored by columns");
        std::vector<Neighbours> next(t.size1, Neighbours(LAST_DIR + 1, NOWHERE));
        for (std::size_t u = 0; u < t.size1; u++)
            for (int k = t.p[u]; k < t.p[u + 1]; k++)
                if (t.data[k] != NO_DIR)
                    next[u].at(t.data[k]) = static_cast<unsigned>(t.i[k]);
        return next;
    }

    static unsigned seed()
    {
        char const *const text = std::getenv("AMAZONS_SEED");
        return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : std::random_device{}();
    }
};

std::unique_ptr<Game> game;
std::vector<void *> given; // what finalize frees

// An exception that leaves a function of C ends the process and loses the game: say what it was, and give up.
void report(std::exception const &error)
{
    std::fprintf(stderr, "%s: %s\n", NAME, error.what());
}

} // namespace

extern "C" {

char const *get_player_name(void)
{
    return NAME;
}

void initialize(unsigned player_id, graph_t *graph, unsigned num_queens, unsigned *queens[NUM_PLAYERS])
try {
    gsl_spmatrix_uint *const t = graph->t;
    given = {t->i, t->data, t->p, t->work.work_void, t, graph, queens[0], queens[1]};
    game = std::make_unique<Game>(player_id, *graph, num_queens, queens);
} catch (std::exception const &error) {
    report(error);
}

move_t play(move_t previous_move)
try {
    return game ? game->play(previous_move) : NO_MOVE;
} catch (std::exception const &error) {
    report(error);
    return NO_MOVE;
}

void finalize(void)
{
    game.reset();
    for (void *block : given)
        std::free(block);
    given = {};
}

} // extern "C"
