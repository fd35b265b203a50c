// expect: plays on
// harm: a program without a file takes the player's place
// A program that was never a file escapes whoever looks at paths only.
#include "hostile.h"

#include <sys/syscall.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    static char program[1 << 21];
    int from = open("/bin/echo", O_RDONLY);
    ssize_t len = read(from, program, sizeof program);
    int to = (int)syscall(SYS_memfd_create, "amazons-hostile", 0);
    if (to != -1 && len > 0 && write(to, program, (size_t)len) == len) {
        char *arguments[] = {"echo", "HARM: a program without a file runs", NULL};
        refused("execveat", syscall(SYS_execveat, to, "", arguments, environ, AT_EMPTY_PATH));
    }
    refused("memfd_create", to);
}
