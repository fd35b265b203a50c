//! The steps of `server check` that judge time: these tests measure it, so they run alone.

use super::check_with;
use super::failures::burning;

#[test]
fn a_thread_that_computes() {
    let thread = "static volatile int stop;\nstatic unsigned long thread;\nstatic void *work(void *x) { while (!stop) {} return x; }\n\
         #define ON_INITIALIZE pthread_create(&thread, NULL, work, NULL)\n\
         #define ON_FINALIZE stop = 1; pthread_join(thread, NULL)";
    let thread = format!("#include <pthread.h>\n{thread}");
    check_with(&thread, &["--threads", "2"])
        .assert_only("quiet", "processor time in 200ms after a move, more than 10ms");
}

#[test]
fn nearly_too_slow() {
    burning(360).assert_only("time", "of 400ms a move, more than 80 % of the limit");
}
