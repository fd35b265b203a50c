// expect: plays on
// harm: the player asks the rival's code for its answers
// With the rival's library open, a player knows all of its answers.
#include "shared.h"

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
