//! Libraries that start a thread for each processor unless they are told how many.

use std::num::NonZeroU32;

use amazons::referee::{Seat, Termination};

use super::rig::{Rig, Source, fault, log_of};

/// Enough to meet every order in which processes and threads come to run.
const STARTS: usize = 20;

/// A player with a parallel loop in each call; `None` without OpenMP.
fn with_openmp(before_the_loop: &str) -> Option<Rig> {
    let loop_ = "double sum = 0;
        #pragma omp parallel for reduction(+:sum)
        for (int i = 0; i < 100000; i++) sum += i % 7;
        if (sum < 0) abort();";
    let top = format!("#include <omp.h>\nstatic void compute(void) {{ {before_the_loop} {loop_} }}");
    let source = Source::new().top(&top).initialize("compute();").play(
        "compute(); printf(\"%d of %d\\n\", omp_get_max_threads(), omp_get_num_procs());
         return (struct move_t){1, 2, 3};",
    );
    source.try_build_with(&["-fopenmp"])
}

#[test]
fn openmp_starts_as_many_threads_as_are_allowed() {
    let Some(mut rig) = with_openmp("") else { return };
    for threads in [1, 2] {
        rig.limits.threads = NonZeroU32::new(threads).expect("not zero");
        for _ in 0..STARTS {
            let mut seat = rig.ready();
            seat.play(None).expect("the player plays");
            assert!(log_of(&seat).starts_with(&format!("{threads} of ")), "{}", log_of(&seat));
            seat.finalize().expect("the player finalizes");
        }
    }
}

#[test]
fn openmp_that_asks_for_more_gets_what_is_allowed() {
    let Some(mut rig) = with_openmp("omp_set_num_threads(4);") else { return };
    rig.limits.threads = NonZeroU32::new(2).expect("not zero");
    let mut seat = rig.ready();
    seat.play(None).expect("the player plays");
}

#[test]
fn a_players_own_variables_take_precedence() {
    let body = "printf(\"%s %s\\n\", getenv(\"OMP_NUM_THREADS\"), getenv(\"GOMAXPROCS\"));";
    let mut rig = Source::new().initialize(body).build();
    rig.environment = vec![("OMP_NUM_THREADS".to_owned(), "7".to_owned())];
    assert_eq!(log_of(&rig.ready()), "7 1\n");
}

#[test]
fn a_player_that_starts_a_thread_without_leave_is_told_so() {
    let body = "pthread_t thread;
        int error = pthread_create(&thread, NULL, (void *(*)(void *))abort, NULL);
        fprintf(stderr, \"pthread_create: %s\\n\", strerror(error)); exit(1);";
    let mut seat = Source::new().play(body).build_with(&["-pthread"]).ready();
    let fault = fault(seat.play(None));
    assert_eq!(fault.termination, Termination::Exit);
    assert!(log_of(&seat).contains("pthread_create: Resource temporarily unavailable"), "{}", log_of(&seat));
}
