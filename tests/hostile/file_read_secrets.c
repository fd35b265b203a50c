// expect: plays on
// harm: the player reads the user's and the system's files
// Reads what is none of its business, and could print it into a log that is published.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char const *const paths[] = {"/etc/shadow", "/etc/passwd", "/root", "/home", "/tmp", "/"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        refused(paths[i], open(paths[i], O_RDONLY));
    }
    char const *home = getenv("HOME");
    refused("the home folder", home == NULL ? -1 : open(home, O_RDONLY));
}
