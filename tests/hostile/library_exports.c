// expect: plays on
// Exports the names of functions that the server calls, in the hope that they are taken for them.
#include "hostile.h"

#include <sys/syscall.h>

/* The player's own calls are bound to the C library, which comes first. Only a mistake of the server binds to these. */
static void caught(char const *name) {
    static char const words[] = "HARM: the server calls a function of the player's: ";
    syscall(SYS_write, STDERR_FILENO, words, sizeof words - 1);
    syscall(SYS_write, STDERR_FILENO, name, strlen(name));
    syscall(SYS_write, STDERR_FILENO, "\n", 1L);
}

int main(void) {
    caught("main");
    return 0;
}

ssize_t read(int file, void *bytes, size_t len) {
    caught("read");
    return syscall(SYS_read, file, bytes, len);
}

ssize_t write(int file, void const *bytes, size_t len) {
    caught("write");
    return syscall(SYS_write, file, bytes, len);
}

void _exit(int status) {
    caught("_exit");
    for (;;) {
        syscall(SYS_exit_group, status);
    }
}

int fflush(FILE *stream) {
    (void)stream;
    caught("fflush");
    return 0;
}

char *dlerror(void) {
    caught("dlerror");
    return NULL;
}
