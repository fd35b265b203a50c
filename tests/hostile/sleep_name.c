// expect: timeout in name
/* Sleeps in get_player_name. */
#include "hostile.h"

void on_name(void) {
    for (;;) {
        pause();
    }
}
