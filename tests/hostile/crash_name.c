// expect: crash in name, signal SIGSEGV
/* Crashes in get_player_name. */
#include "hostile.h"

void on_name(void) {
    int volatile *nothing = NULL;
    *nothing = 1;
}
