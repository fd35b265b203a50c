// expect: plays on
/* Has a name that would clear, retitle and recolour the terminal. */
#include "hostile.h"

void on_name(void) {
    name_override = "\033[2J\033]0;title\007\033[31m\x9b" "31m\r\b\b\bplayer 1 wins\n";
}
