/*
 * The functions that a player exports: four, and one more if it likes. A player is a shared library; a server loads it and calls
 *
 *     initialize, get_player_name, play (once for each of the player's turns, followed by get_opinion), finalize
 *
 * in this order, never two of them at the same time, and by default from one thread in a process that serves this
 * player and one game only. A server for debugging may load both players into its own process, possibly the same
 * library twice.
 *
 * A call that crashes, exits, or does not return within the server's limit loses the game. Servers announce limits in
 * the environment: AMAZONS_MOVE_CPU_MS and AMAZONS_MOVE_WALL_MS (milliseconds for each call of play, of processor time
 * and on the wall clock), AMAZONS_GAME_MS and AMAZONS_INCREMENT_MS (milliseconds for all calls of play, and what each
 * adds), AMAZONS_THREADS, and AMAZONS_SEED (seed of the game's randomness). Any of them may be missing.
 */
#ifndef AMAZONS_PLAYER_H
#define AMAZONS_PLAYER_H

#include "dir.h"
#include "graph.h"
#include "move.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NUM_PLAYERS 2

/*
 * Returns the player's name: a string of printable ASCII characters, best not longer than 60.
 *
 * State: called after initialize and before finalize.
 * Memory: the string stays the player's and stays valid until finalize returns. The server does not free it.
 * Failure: NULL is allowed; the server then shows the name of the file.
 */
char const *get_player_name(void);

/*
 * Prepares a game.
 *
 * player_id: 0 (BLACK) moves first, 1 (WHITE) second.
 * graph: see graph.h.
 * num_queens: how many queens each player has.
 * queens: queens[0] (BLACK) and queens[1] (WHITE) are arrays of num_queens vertices.
 *
 * State: the first call of a game.
 * Memory: graph, all that it points to, queens[0] and queens[1] now belong to the player, which frees each block once
 * (in finalize at the latest) and may edit them before. The outer array queens stays the server's: it is valid until
 * finalize has returned, and the player must not free it.
 * Failure: there is no way to report one. A player that cannot play answers UINT_MAX triples in play.
 */
void initialize(unsigned int player_id, struct graph_t *graph, unsigned int num_queens,
                unsigned int *queens[NUM_PLAYERS]);

/*
 * Takes in the opponent's move and answers with the player's own.
 *
 * previous_move: what the opponent played; three times UINT_MAX in the first call of the game, and only there.
 *
 * State: after initialize, when it is the player's turn. Never called for a player without a legal move.
 * Failure: an illegal answer loses the game; so does giving up with three times UINT_MAX.
 */
struct move_t play(struct move_t previous_move);

/*
 * Optional: a player without this function is as good as any, and servers that do not know it do not look for it.
 *
 * Returns what the player thinks of the position after its last move: from -1, lost for the player, to 1, won, or NAN
 * for no opinion. Sets *text, if it likes, to a short line of UTF-8 about it: "depth 12, d7-d5/a2 next".
 *
 * State: called after play has returned, before the next call; its time is part of that move's.
 * Memory: *text is NULL before; the string stays the player's and stays valid until the next call. The server copies
 * it.
 * Failure: a value that is neither NAN nor from -1 to 1 is ignored; a crash or a call that is too late loses the game,
 * as in play.
 */
double get_opinion(char const **text);

/*
 * Ends the game and frees what initialize was given and what the player made of it.
 *
 * State: the last call, also after a lost or broken game; the other functions may not be called any more.
 * Failure: a fault in here does not change the result.
 */
void finalize(void);

#ifdef __cplusplus
}
#endif

#endif
