// expect: plays on
// harm: the player asks the rival's code for its answers
// With the rival's library open, a player knows all of its answers.
#include "hostile.h"

#include <dlfcn.h>

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
    void *handle = dlopen(rival_library(), RTLD_NOW | RTLD_LOCAL);
    if (handle != NULL) {
        char const *(*name)(void) = (char const *(*)(void))(intptr_t)dlsym(handle, "get_player_name");
        harm("the rival's library is open, and calls itself %s", name == NULL ? "nothing" : name());
    }
}
