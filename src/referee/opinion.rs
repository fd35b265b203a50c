use crate::text::printable;

/// Maximum length of a text in records, in characters.
const TEXT_MAX: usize = 200;

/// The words about a value out of range in the comment of a record.
pub(crate) const OUT_OF_RANGE: &str = "ignored: not from -1 to 1";

/// A player's opinion of the position after its last move, as the player gave it: anything may stand here.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    /// From -1, lost for the player, to 1, won; not a number without an opinion.
    pub value: f64,
    /// A line of text; empty without one.
    pub text: Vec<u8>,
}

impl Default for Opinion {
    fn default() -> Self {
        Self { value: f64::NAN, text: Vec::new() }
    }
}

impl Opinion {
    /// Returns the opinion of a chance to win, 0 to 1.
    pub fn of_chance(chance: f64) -> Self {
        Self { value: 2.0 * chance - 1.0, text: Vec::new() }
    }

    /// Returns value and comment for records: what is out of range, too long or not printable is left out or replaced,
    /// and the comment says so.
    pub fn checked(&self) -> (Option<f32>, Option<String>) {
        #[expect(clippy::cast_possible_truncation, reason = "six digits are enough")]
        let number = self.value as f32;
        let value = (-1.0..=1.0).contains(&number).then_some(number);
        let text = printable(self.text.trim_ascii());
        let mut comment: String = text.chars().take(TEXT_MAX).collect();
        if comment.len() < text.len() {
            comment.push_str("...");
        }
        if value.is_none() && !number.is_nan() {
            let blank = if comment.is_empty() { "" } else { " " };
            comment = format!("{comment}{blank}(opinion {number:e} {OUT_OF_RANGE})");
        }
        (value, Some(comment).filter(|comment| !comment.is_empty()))
    }
}
