// expect: plays on
// harm: the player destroys the rival's file
// A library that shrinks while it is mapped kills whoever runs it.
#include "shared.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char const *path = rival_library();
    struct stat status;
    refused("open the rival's library", open(path, O_RDWR));
    /* Its present size does no damage, and needs the same right as any other. */
    refused("truncate the rival's library", stat(path, &status) == 0 ? truncate(path, status.st_size) : -1);
}
