// expect: plays on
// harm: the player runs any shell command
// Reads what a shell command prints.
#include "hostile.h"

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    FILE *stream = popen("echo shell", "r");
    char line[16] = "";
    if (stream != NULL) {
        if (fgets(line, sizeof line, stream) != NULL) {
            harm("a shell printed %.5s", line);
        }
        pclose(stream);
    }
}
