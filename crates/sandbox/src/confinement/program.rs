//! Compiles the policy to the kernel's filter for system calls: a search for the number, then checks of the arguments.
//!
//! On installation, the kernel itself finds the calls allowed with any arguments and never runs the program for them.
//! For all others the program should be short.

use libc::{EACCES, ENOSYS, EPERM};
use seccompiler::{BpfProgram, sock_filter};

use super::policy::{self, CallVerdict, NEGATIVE, Policy, Rule, Writing, X32};

/// x86-64, the only architecture with the policy's numbers; calls of any other are a violation.
const ARCHITECTURE: u32 = 0xC000_003E;

// Instructions, as `linux/bpf_common.h` composes them.
const LOAD: u16 = 0x20;
const RETURN: u16 = 0x06;
const GO_TO: u16 = 0x05;
const IS_EQUAL: u16 = 0x15;
const IS_AT_LEAST: u16 = 0x35;
const HAS_ANY_BIT: u16 = 0x45;

// Loadable fields of `seccomp_data`.
const NUMBER: u32 = 0;
const CALLER_ARCHITECTURE: u32 = 4;

fn low_half(argument: u8) -> u32 {
    16 + 8 * u32::from(argument)
}

fn high_half(argument: u8) -> u32 {
    low_half(argument) + 4
}

/// The program for a process.
pub fn program(policy: &Policy) -> BpfProgram {
    policy.compile(&policy::rules(*policy))
}

impl Policy {
    /// Compiles rules, starting with that of call 0. Calls after the last one are unknown.
    pub fn compile(&self, rules: &[Rule]) -> BpfProgram {
        let mut assembler = Assembler::default();
        let mut ranges: Vec<Range> = Vec::new();
        let mut add = |start: u32, label: Label| {
            // Ranges with the same target need no comparison between them.
            if ranges.last().is_none_or(|range| range.label != label) {
                ranges.push(Range { start, label });
            }
        };
        let mut number = 0;
        for rule in rules {
            add(number, assembler.rule(*self, rule));
            number += 1;
        }
        let unknown = assembler.verdict(CallVerdict::Refused(ENOSYS));
        let violation = assembler.verdict(CallVerdict::Violation);
        add(number, unknown);
        add(X32, violation);
        add(NEGATIVE, unknown);
        let search = assembler.search(&ranges);
        let search = assembler.load(NUMBER, search);
        let check = assembler.jump(IS_EQUAL, ARCHITECTURE, search, violation);
        assembler.load(CALLER_ARCHITECTURE, check);
        assembler.reversed.reverse();
        assembler.reversed
    }
}

/// Numbers from `start` on that share their target.
#[derive(Clone, Copy, Debug)]
struct Range {
    start: u32,
    label: Label,
}

/// An instruction's position from the end of the program: the last one is at 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Label(usize);

/// Writes a program from end to start: jumps only lead forward, so their targets already exist.
#[derive(Debug, Default)]
struct Assembler {
    reversed: Vec<sock_filter>,
    rules: Vec<(Rule, Label)>,
}

impl Assembler {
    fn push(&mut self, code: u16, jt: u8, jf: u8, k: u32) -> Label {
        self.reversed.push(sock_filter { code, jt, jf, k });
        Label(self.reversed.len())
    }

    /// Returns how many instructions the next one would skip to reach a label.
    fn distance(&self, label: Label) -> usize {
        self.reversed.len() - label.0
    }

    /// Loads a field and continues at a label.
    fn load(&mut self, field: u32, then: Label) -> Label {
        if self.distance(then) > 0 {
            self.go_to(then);
        }
        self.push(LOAD, 0, 0, field)
    }

    fn go_to(&mut self, label: Label) -> Label {
        let distance = u32::try_from(self.distance(label)).expect("a program is short");
        self.push(GO_TO, 0, 0, distance)
    }

    /// Compares the loaded value and continues at one of two labels.
    fn jump(&mut self, test: u16, value: u32, then: Label, otherwise: Label) -> Label {
        let (then, otherwise) = (self.near(then), self.near(otherwise));
        let [jt, jf] = [then, otherwise].map(|label| u8::try_from(self.distance(label)).expect("the label is near"));
        self.push(test, jt, jf, value)
    }

    /// Returns a label within a comparison's reach that leads to the same target.
    fn near(&mut self, label: Label) -> Label {
        // One less than a comparison can skip: the other label's detour may come between.
        if self.distance(label) < usize::from(u8::MAX) { label } else { self.go_to(label) }
    }

    /// Emits a binary search, with the smaller half of the numbers first.
    fn search(&mut self, ranges: &[Range]) -> Label {
        if let [range] = ranges {
            return range.label;
        }
        let (below, above) = ranges.split_at(ranges.len() / 2);
        let at_least = self.search(above);
        let less = self.search(below);
        self.jump(IS_AT_LEAST, above[0].start, at_least, less)
    }

    fn verdict(&mut self, verdict: CallVerdict) -> Label {
        if let Some((_, label)) = self.rules.iter().find(|(rule, _)| *rule == Rule::Always(verdict)) {
            return *label;
        }
        let label = self.push(
            RETURN,
            0,
            0,
            match verdict {
                CallVerdict::Allowed => libc::SECCOMP_RET_ALLOW,
                CallVerdict::Refused(error) => {
                    libc::SECCOMP_RET_ERRNO | (error.cast_unsigned() & libc::SECCOMP_RET_DATA)
                }
                // A trap rather than a kill: the signal's handler reports the call.
                CallVerdict::Violation => libc::SECCOMP_RET_TRAP,
                CallVerdict::Told => libc::SECCOMP_RET_USER_NOTIF,
            },
        );
        self.rules.push((Rule::Always(verdict), label));
        label
    }

    /// Returns the instructions of a rule, emitted once for all its calls.
    fn rule(&mut self, policy: Policy, rule: &Rule) -> Label {
        if let Some((_, label)) = self.rules.iter().find(|(known, _)| known == rule) {
            return *label;
        }
        let allowed = self.verdict(CallVerdict::Allowed);
        let label = match *rule {
            Rule::Always(CallVerdict::Violation) => return self.verdict(policy.violation()),
            Rule::Always(verdict) => return self.verdict(verdict),
            Rule::Told(error) => return self.verdict(policy.told(error)),
            Rule::OwnPid(otherwise) => {
                let otherwise = self.rule(policy, &Rule::Always(otherwise));
                let check = self.jump(IS_EQUAL, policy.own_pid, allowed, otherwise);
                self.load(low_half(0), check)
            }
            Rule::OwnClock => {
                let violation = self.verdict(policy.violation());
                let check = self.is_one_of(&policy::own_clocks(policy.own_pid), allowed, violation);
                let check = self.jump(IS_AT_LEAST, policy::OF_CALLER, allowed, check);
                let check = self.jump(HAS_ANY_BIT, policy::OF_THREAD, allowed, check);
                let check = self.jump(IS_AT_LEAST, policy::FIRST_OF_PROCESS, check, allowed);
                self.load(low_half(0), check)
            }
            Rule::WithoutBits { argument, bits, refusal } => {
                let refused = self.verdict(CallVerdict::Refused(refusal));
                let check = self.jump(HAS_ANY_BIT, bits, refused, allowed);
                self.load(low_half(argument), check)
            }
            Rule::OneOf { argument, values, refusal } => {
                let refused = self.verdict(CallVerdict::Refused(refusal));
                let check = self.is_one_of(values, allowed, refused);
                self.load(low_half(argument), check)
            }
            Rule::Open(argument) => {
                let refused = self.verdict(CallVerdict::Refused(EACCES));
                let writing = match policy.writing {
                    Writing::Nothing => refused,
                    Writing::ByLandlock => self.jump(HAS_ANY_BIT, policy::NAMELESS, refused, allowed),
                };
                let reading = self.jump(HAS_ANY_BIT, policy::CHANGING, refused, allowed);
                let without = self.jump(HAS_ANY_BIT, policy::READ_WRITE, writing, reading);
                let with = self.jump(HAS_ANY_BIT, policy::READ_WRITE, refused, writing);
                let check = self.jump(HAS_ANY_BIT, policy::WRITE_ONLY, with, without);
                self.load(low_half(argument), check)
            }
            Rule::Fcntl => {
                let refused = self.verdict(CallVerdict::Refused(EPERM));
                let set = self.jump(HAS_ANY_BIT, policy::UNUSUAL_FLAGS, refused, allowed);
                let set = self.load(low_half(2), set);
                let other = self.is_one_of(policy::FCNTL, allowed, refused);
                let check = self.jump(IS_EQUAL, policy::SET_FLAGS, set, other);
                self.load(low_half(1), check)
            }
            Rule::Pair(kinds) => {
                let refused = self.verdict(CallVerdict::Refused(EACCES));
                let check = self.is_one_of(kinds, allowed, refused);
                let check = self.load(low_half(1), check);
                let check = self.jump(IS_EQUAL, policy::LOCAL, check, refused);
                self.load(low_half(0), check)
            }
            Rule::Map { flags, protection } => {
                let refused = self.verdict(CallVerdict::Refused(EPERM));
                let check = self.jump(HAS_ANY_BIT, protection, refused, allowed);
                let check = self.load(low_half(2), check);
                let check = self.jump(HAS_ANY_BIT, flags, refused, check);
                let check = self.jump(HAS_ANY_BIT, libc::MAP_SHARED.cast_unsigned(), check, allowed);
                self.load(low_half(3), check)
            }
            Rule::KeepHandler => {
                let refused = self.verdict(CallVerdict::Refused(EPERM));
                let check = self.jump(IS_EQUAL, 0, allowed, refused);
                let check = self.load(high_half(1), check);
                let check = self.jump(IS_EQUAL, 0, check, refused);
                let check = self.load(low_half(1), check);
                let check = self.jump(IS_EQUAL, libc::SIGSYS.cast_unsigned(), check, allowed);
                self.load(low_half(0), check)
            }
            Rule::ReadOwnLimit => {
                let refused = self.verdict(CallVerdict::Refused(EPERM));
                let check = self.jump(IS_EQUAL, 0, allowed, refused);
                let check = self.load(high_half(2), check);
                let check = self.jump(IS_EQUAL, 0, check, refused);
                let check = self.load(low_half(2), check);
                let check = self.is_one_of(&[0, policy.own_pid], check, refused);
                self.load(low_half(0), check)
            }
            Rule::NewThread => {
                let (thread, process) = (self.verdict(policy.thread()), self.verdict(policy.told(EPERM)));
                let check = self.jump(HAS_ANY_BIT, libc::CLONE_THREAD.cast_unsigned(), thread, process);
                self.load(low_half(0), check)
            }
        };
        self.rules.push((*rule, label));
        label
    }

    fn is_one_of(&mut self, values: &[u32], then: Label, otherwise: Label) -> Label {
        values.iter().rev().fold(otherwise, |next, value| self.jump(IS_EQUAL, *value, then, next))
    }
}
