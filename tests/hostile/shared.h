/* What a few behaviours have in common. */
#ifndef AMAZONS_HOSTILE_SHARED_H
#define AMAZONS_HOSTILE_SHARED_H

#include "hostile.h"

#include <dlfcn.h>
#include <sched.h>
#include <sys/syscall.h>

/* See crates/sandbox/src/report.rs: what a crashing process says of its end. */
struct report_t {
    char magic[4];
    uint32_t signal, code, words[4], frames, modules;
    char rest[2012];
};

/* A process or thread that ends at once, and its stack. */
static MAYBE_UNUSED int child(void *unused) {
    (void)unused;
    syscall(SYS_exit, 0);
    return 0;
}

static MAYBE_UNUSED char stack[1 << 16] __attribute__((aligned(16)));

/* The rival's library as the server was told; without that, what stands beside its own. */
static MAYBE_UNUSED char const *rival_library(void) {
    static char text[8192];
    Dl_info self;
    char const *own = dladdr((void *)on_play, &self) != 0 ? strrchr(self.dli_fname, '/') : NULL;
    snprintf(text, sizeof text, "/proc/%d/cmdline", (int)getppid());
    int file = open(text, O_RDONLY);
    if (file == -1 || own == NULL) {
        int const folder = own == NULL ? 0 : (int)(own - self.dli_fname);
        snprintf(text, sizeof text, "%.*s/rival.so", folder, own == NULL ? "" : self.dli_fname);
        return text;
    }
    ssize_t len = read(file, text, sizeof text - 1);
    char const *found = "";
    for (char *word = text; word < text + len; word += strlen(word) + 1) {
        char const *end = strstr(word, ".so");
        found = end != NULL && end[3] == '\0' && strstr(word, own) == NULL ? word : found;
    }
    return found;
}

#endif
