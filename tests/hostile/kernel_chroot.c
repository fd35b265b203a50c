// expect: violation in play
// harm: the player changes its root folder
// Another root folder, out of which well-known tricks lead.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("chroot", chroot("/"));
}
