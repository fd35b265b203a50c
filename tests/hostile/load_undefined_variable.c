// expect: load_error in load
/* Uses a variable that nobody defines: the dynamic loader refuses the library. */
#include "hostile.h"

extern int defined_nowhere;

void on_play(unsigned turn) { defined_nowhere = (int)turn; }
