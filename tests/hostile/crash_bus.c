// expect: crash in play, signal SIGBUS
/* Reads a mapped file beyond its end. */
#include "hostile.h"
#include <dlfcn.h>
#include <sys/mman.h>

void on_play(unsigned turn) {
    (void)turn;
    Dl_info about;
    struct stat file;
    dladdr((void *)(uintptr_t)on_play, &about);
    int fd = open(about.dli_fname, O_RDONLY);
    fstat(fd, &file);
    char volatile *bytes = mmap(NULL, (size_t)file.st_size + (1 << 16), PROT_READ, MAP_PRIVATE, fd, 0);
    (void)bytes[file.st_size + (1 << 15)];
}
