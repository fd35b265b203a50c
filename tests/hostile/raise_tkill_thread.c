// expect: crash in play, signal SIGSEGV
// options: --threads 4
// build: -pthread
// The same in a thread, whose number no filter can know: refused, it goes on to the last resort of such runtimes.
#include "hostile.h"

#include <pthread.h>
#include <sys/syscall.h>

static void *die(void *unused) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    if (syscall(SYS_tkill, syscall(SYS_gettid), SIGABRT) != -1 || errno != EPERM) {
        harm("tkill of a thread: %d", errno);
    }
    __asm__ volatile("hlt");
    return unused;
}

void on_play(unsigned turn) {
    (void)turn;
    pthread_t thread;
    if (pthread_create(&thread, NULL, die, NULL) != 0) {
        harm("no thread");
        return;
    }
    pthread_join(thread, NULL);
}
