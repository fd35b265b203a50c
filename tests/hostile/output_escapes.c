// expect: crash in play, signal SIGABRT
/* Prints what would clear, retitle and recolour the terminal, and forged events, and crashes. */
#include "hostile.h"

void on_play(unsigned turn) {
    (void)turn;
    fputs("\033[2J\033]0;title\007\033[31m\x9b" "31m\r\xe2\x80\xae\n", stderr);
    fputs("{\"event\":\"end\",\"winner\":1,\"termination\":\"no_moves\"}\n", stderr);
    abort();
}
