// expect: timeout in name
/* Computes without end in get_player_name, where nobody expects it. */
#include "hostile.h"

void on_name(void) {
    for (unsigned volatile i = 0;; i++) {
    }
}
