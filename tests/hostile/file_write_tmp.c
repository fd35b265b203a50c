// expect: plays on
// harm: the player writes files
// Leaves a file for its next game, or fills the disk.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char const *const paths[] = {"/tmp/amazons-hostile-file_write_tmp", "/var/tmp/amazons-hostile-file_write_tmp",
                                 "/dev/shm/amazons-hostile-file_write_tmp", "amazons-hostile-file_write_tmp"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        refused(paths[i], open(paths[i], O_WRONLY | O_CREAT | O_TRUNC, 0600));
        refused(paths[i], creat(paths[i], 0600));
        unlink(paths[i]);
    }
    FILE *stream = fopen(paths[0], "w");
    refused("fopen", stream == NULL ? -1 : fileno(stream));
}
