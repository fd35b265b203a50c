// expect: plays on
/* Has a name of bytes that are no text. */
#include "hostile.h"

void on_name(void) {
    static char name[256];
    for (int i = 0; i < 255; i++) {
        name[i] = (char)(255 - i);
    }
    name_override = name;
}
