// expect: plays on
// harm: the player hears of the files that others touch
// Hears of every file that others touch in a folder.
#include "hostile.h"

#include <sys/fanotify.h>
#include <sys/inotify.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    int notify = inotify_init1(IN_CLOEXEC);
    refused("inotify_init1", notify);
    refused("inotify_add_watch", inotify_add_watch(notify, "/tmp", IN_ALL_EVENTS));
    refused("fanotify_init", fanotify_init(0, 0));
}
