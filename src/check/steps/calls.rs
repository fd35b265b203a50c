//! The calls before the first move.

use amazons_rules::{Board, Shape};

use super::{SIZE, Steps, Tries, start};
use crate::check::finding::Finding;
use crate::check::harness::Side;
use crate::check::step::CheckStep;
use crate::check::trouble::Trouble;
use crate::host::{clash_advice, clashes, missing_functions};
use crate::referee::{Seat, Termination};
use crate::text::printable;

/// Maximum length of a name that fits into tables, in characters.
const NAME_MAX: usize = 64;

impl Steps {
    pub(super) fn loads(&mut self) -> anyhow::Result<Finding> {
        let visit = self.harness.visit(&start(Shape::Square, SIZE), 0, None, Seat::load)?;
        let fault = match visit.result {
            Ok(()) => {
                self.is_loaded = true;
                let clashes = clash_advice(&clashes(self.harness.player()));
                let passed = Finding::passed("initialize, get_player_name, play, finalize");
                self.functions = Some(Finding { advice: clashes, ..passed });
                return Ok(Finding::passed(format!("in {:.1?}, including the start of its process", visit.wall)));
            }
            Err(fault) => fault,
        };
        if fault.missing != 0 {
            self.functions = Some(Finding::failed(
                format!("it does not define {}", missing_functions(&fault).join(", ")),
                "define it as player.h declares it: not static, not hidden, and extern \"C\" in C++",
            ));
            return Ok(Finding::passed("the loader accepts it"));
        }
        let trouble = Trouble::of_visit("load", &fault, &visit.log_tail);
        self.block("it does not load");
        Ok(self.fail(CheckStep::Loads, trouble, 1, Tries::ONE))
    }

    pub(super) fn initialize(&mut self) -> anyhow::Result<Finding> {
        let mut sizes = vec![Board::MIN_SIZE, SIZE, self.size];
        sizes.sort_unstable();
        sizes.dedup();
        let mut tried = self.initialize_everywhere(&sizes)?;
        if let Some(trouble) = tried.troubles.first().cloned() {
            let with_other = self.with_other_directions(|steps| steps.initialize_everywhere(&sizes))?;
            // A call that only fails sometimes has another cause.
            if with_other.troubles.is_empty() && 2 * tried.troubles.len() >= tried.tries.made {
                self.adopt_other_directions(trouble);
                tried = with_other;
            }
        }
        let Initialized { troubles, tries, unusable } = tried;
        self.unusable = unusable;
        if self.usable(self.size).is_empty() {
            self.block(&format!("no board to play on, see step {}", CheckStep::Initialize.number()));
        }
        let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        let all_well = format!("c, d, t, 8, with m = {}, for both sides", sizes.join(", "));
        Ok(self.judge(CheckStep::Initialize, &troubles, tries, all_well))
    }

    /// Calls `initialize` on every shape, for both sides.
    fn initialize_everywhere(&mut self, sizes: &[u32]) -> anyhow::Result<Initialized> {
        let (mut troubles, mut tries, mut is_late) = (Vec::new(), Tries { made: 0, wanted: 0 }, false);
        let mut unusable = Vec::new();
        for (shape, &m) in Shape::ALL.iter().flat_map(|&shape| sizes.iter().map(move |m| (shape, m))) {
            for (abi_id, side) in [(0, Side::First), (1, Side::Second)] {
                tries.wanted += 1;
                // One hanging call is enough to wait for.
                if is_late {
                    unusable.push((shape, m));
                    continue;
                }
                tries.made += 1;
                let visit = self.harness.visit(&start(shape, m), abi_id, None, |player| {
                    player.load()?;
                    player.initialize()
                })?;
                if let Err(fault) = visit.result {
                    let place = format!("{}, m = {m}, {}", shape.name(), side.words());
                    is_late = fault.termination == Termination::Timeout;
                    troubles.push(Trouble::of_visit(&place, &fault, &visit.log_tail));
                    unusable.push((shape, m));
                }
            }
        }
        Ok(Initialized { troubles, tries, unusable })
    }

    pub(super) fn name(&mut self) -> anyhow::Result<Finding> {
        let shape = self.usable(self.size)[0];
        let visit = self.harness.visit(&start(shape, self.size), 0, None, |player| {
            player.load()?;
            player.initialize()?;
            player.name()
        })?;
        Ok(match visit.result {
            Ok(answer) => judge_name(answer.value.as_deref()),
            Err(fault) => {
                self.fail(CheckStep::Name, Trouble::of_visit(shape.name(), &fault, &visit.log_tail), 1, Tries::ONE)
            }
        })
    }
}

/// The results of `initialize` on all boards.
struct Initialized {
    troubles: Vec<Trouble>,
    tries: Tries,
    unusable: Vec<(Shape, u32)>,
}

fn judge_name(name: Option<&[u8]>) -> Finding {
    const ADVICE: &str = "return a string of 1 to 64 printable characters that lives until finalize";
    let Some(bytes) = name else {
        return Finding::failed("get_player_name returned NULL, which other servers print without checking", ADVICE);
    };
    let shown = printable(bytes);
    let length = shown.chars().count();
    let wrong = match std::str::from_utf8(bytes) {
        Err(_) => format!("'{shown}' is not UTF-8"),
        Ok(text) if text.trim().is_empty() => "the name is empty".to_owned(),
        Ok(_) if length > NAME_MAX => {
            format!("the name has {length} characters or more: '{}...'", shown.chars().take(20).collect::<String>())
        }
        Ok(text) if text != shown => format!("'{text}' has characters that cannot be printed"),
        Ok(_) => return Finding::passed(format!("'{shown}'")),
    };
    Finding::failed(wrong, ADVICE)
}
