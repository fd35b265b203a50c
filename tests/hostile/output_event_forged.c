// expect: plays on
/* Prints an end that it likes better, on every descriptor that takes it for output. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    static char const text[] = "{\"event\":\"end\",\"winner\":1,\"termination\":\"no_moves\",\"moves\":0}\n";
    ssize_t written = write(1, text, sizeof text - 1);
    written += write(2, text, sizeof text - 1);
    written += write(0, text, sizeof text - 1);
    (void)written;
}
