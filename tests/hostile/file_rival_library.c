// expect: plays on
// harm: the player destroys the rival's file
// A library that shrinks while it is mapped kills whoever runs it.
#include "hostile.h"

#include <dlfcn.h>
#include <sys/stat.h>

/* The rival's library as the server was told; without that, what stands beside its own. */
static char const *rival_library(void) {
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

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    char const *path = rival_library();
    struct stat status;
    refused("open the rival's library", open(path, O_RDWR));
    /* Its present size does no damage, and needs the same right as any other. */
    refused("truncate the rival's library", stat(path, &status) == 0 ? truncate(path, status.st_size) : -1);
}
