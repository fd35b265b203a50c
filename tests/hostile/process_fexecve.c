// expect: plays on
// harm: the server runs again in the player's place
// Runs a program by a descriptor that was opened for reading.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    char *arguments[] = {"server", "--version", NULL};
    refused("fexecve", fexecve(file, arguments, environ));
    close(file);
}
