// expect: plays on
// build: -lrt
// harm: players talk to each other, also from game to game
// Named message queues live in the kernel until somebody removes them.
#include "hostile.h"

#include <mqueue.h>

void on_play(unsigned turn) {
    if (turn != 0) {
        return;
    }
    mqd_t queue = mq_open("/amazons-hostile-ipc_mq_open", O_RDWR | O_CREAT, 0600, NULL);
    refused("mq_open", queue);
    mq_unlink("/amazons-hostile-ipc_mq_open");
}
