// expect: plays on
// harm: the player reads the user's and the system's files
// Another working folder or root, from which forbidden names look like allowed ones.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int folder = open("/usr/lib", O_RDONLY | O_DIRECTORY);
    if (chdir("/etc") == 0) {
        refused("open by a short name", open("passwd", O_RDONLY));
    }
    if (fchdir(folder) == 0) {
        refused("open by ..", open("../../etc/passwd", O_RDONLY));
    }
    close(folder);
}
