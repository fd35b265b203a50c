// expect: plays on
// harm: the player writes files that nobody finds
// A file without a name takes up the disk and cannot be found.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("O_TMPFILE", open("/tmp", O_TMPFILE | O_RDWR, 0600));
    refused("O_TMPFILE", open("/dev/shm", O_TMPFILE | O_WRONLY, 0600));
    FILE *stream = tmpfile();
    refused("tmpfile", stream == NULL ? -1 : fileno(stream));
}
