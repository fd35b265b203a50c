/*
 * Directions: the labels of a graph's edges.
 *
 * Compare labels, never compute with them. An edge from u to v has a label; going on in the same direction means to
 * follow the edge of v with the same label. The numbers run clockwise from north. Servers do not agree on those of east
 * and west (the example of the course's subject has WEST 3 and EAST 7), they all agree that a line keeps one label.
 */
#ifndef AMAZONS_DIR_H
#define AMAZONS_DIR_H

#ifdef __cplusplus
extern "C" {
#endif

enum dir_t {
    NO_DIR = 0, /* not an edge */
    DIR_NORTH = 1,
    DIR_NE = 2,
    DIR_EAST = 3,
    DIR_SE = 4,
    DIR_SOUTH = 5,
    DIR_SW = 6,
    DIR_WEST = 7,
    DIR_NW = 8,
    FIRST_DIR = DIR_NORTH,
    LAST_DIR = DIR_NW,
    NUM_DIRS = 8
};

#ifdef __cplusplus
}
#endif

#endif
