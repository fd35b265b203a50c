// expect: exit in name, status 3
/* Ends its process in get_player_name. */
#include "hostile.h"

void on_name(void) {
    exit(3);
}
