// expect: plays on
// harm: the player reaches the pipes by other calls than read and write
// Moves bytes between descriptors without read and write, which a filter may watch instead.
#include "hostile.h"

#include <sys/sendfile.h>
#include <sys/uio.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    loff_t from = 0;
    int file = open("/proc/self/maps", O_RDONLY);
    refused("sendfile", sendfile(STDERR_FILENO, file, NULL, 64));
    refused("copy_file_range", copy_file_range(file, &from, STDERR_FILENO, NULL, 64, 0));
    for (int pipe = 3; pipe < 16; pipe++) {
        struct iovec part = {(char[]){"forged"}, 6};
        refused("vmsplice", vmsplice(pipe, &part, 1, SPLICE_F_NONBLOCK));
        refused("tee", tee(pipe, pipe + 1, 1, SPLICE_F_NONBLOCK));
    }
    close(file);
}
