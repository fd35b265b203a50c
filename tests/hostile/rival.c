/* The honest rival: it notices when somebody has touched its memory or its process. */
#include "hostile.h"
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { BLOCK = 1 << 16, CANARY = 0xa5, LIMITS = RLIMIT_RTTIME + 1 };

static unsigned char fixed[BLOCK], *mapped, *allocated;
static struct rlimit limits[LIMITS];
static cpu_set_t cpus;
static int priority, policy;

/* Signals that nobody sends to an honest player, and that would not end it. */
static void noticed(int signal) { harm("the rival got signal %d", signal); }

static void compare(char const *what, unsigned char const *block) {
    for (size_t i = 0; i < BLOCK; i++) {
        if (block[i] != CANARY) {
            harm("the rival's %s memory was changed at %zu", what, i);
            return;
        }
    }
}

static void look(void) {
    struct rlimit limit;
    cpu_set_t now_on;
    compare("fixed", fixed);
    compare("mapped", mapped);
    compare("allocated", allocated);
    for (int which = 0; which < LIMITS; which++) {
        if (getrlimit(which, &limit) == 0 && memcmp(&limit, &limits[which], sizeof limit) != 0) {
            harm("the rival's limit %d was changed", which);
        }
    }
    if (sched_getaffinity(0, sizeof now_on, &now_on) == 0) {
        if (!CPU_EQUAL(&now_on, &cpus)) {
            harm("the rival's processors were changed");
        }
    }
    if (getpriority(PRIO_PROCESS, 0) != priority || sched_getscheduler(0) != policy) {
        harm("the rival's priority was changed");
    }
}

void on_initialize(void) {
    mapped = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    allocated = malloc(BLOCK);
    memset(fixed, CANARY, BLOCK);
    memset(mapped, CANARY, BLOCK);
    memset(allocated, CANARY, BLOCK);
    for (int which = 0; which < LIMITS; which++) {
        getrlimit(which, &limits[which]);
    }
    sched_getaffinity(0, sizeof cpus, &cpus);
    priority = getpriority(PRIO_PROCESS, 0);
    policy = sched_getscheduler(0);
    signal(SIGCONT, noticed);
    signal(SIGURG, noticed);
    signal(SIGWINCH, noticed);
    signal(SIGIO, noticed);
    signal(SIGUSR1, noticed);
}

void on_name(void) {
    name_override = "rival";
    look();
}

void on_play(unsigned turn) {
    (void)turn;
#ifdef SLOW /* time in which the other player could compute */
    nap(turn < 6 ? 190 : 0);
#endif
    look();
}

void on_answer(struct move_t *answer) {
    (void)answer;
    look();
}

void on_finalize(void) {
    look();
    free(allocated);
    munmap(mapped, BLOCK);
}
