// expect: plays on
// harm: the player reads the user's and the system's files
// Forbidden files by other names: links of /proc, .., a double slash, an open folder.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    refused("by root", open("/proc/self/root/etc/passwd", O_RDONLY));
    refused("by ..", open("/usr/lib/../../etc/passwd", O_RDONLY));
    refused("by //", open("//etc//passwd", O_RDONLY));
    refused("by cwd", open("/proc/self/cwd/../../../../../../../etc/passwd", O_RDONLY));
    refused("by thread", open("/proc/thread-self/root/etc/passwd", O_RDONLY));
    int folder = open("/usr/lib", O_PATH | O_DIRECTORY);
    refused("by a folder", openat(folder, "../../etc/passwd", O_RDONLY));
}
