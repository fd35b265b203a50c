// expect: plays on
// harm: the player keeps notes from game to game
// Learns from the game that just ended: the next one would start with what it knows.
#include "hostile.h"

void on_finalize(void) {
    char const *path = "/tmp/amazons-hostile-file_write_finalize";
    refused("open", open(path, O_RDWR | O_CREAT, 0600));
    unlink(path);
}
