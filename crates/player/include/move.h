/*
 * A move: a queen's step and the arrow that it shoots from where it landed.
 */
#ifndef AMAZONS_MOVE_H
#define AMAZONS_MOVE_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Passed by value. Three times UINT_MAX is no move: the first call of play is given it, and a player that answers it
 * gives up.
 */
struct move_t {
    unsigned int queen_src; /* where the queen stands */
    unsigned int queen_dst; /* where it lands */
    unsigned int arrow_dst; /* where its arrow lands; may be queen_src, which the queen has just left */
};

#ifdef __cplusplus
}
#endif

#endif
