use cluedo::assist::words::grouped;
use cluedo::knowledge::facts::Facts;
use cluedo::knowledge::hint::Hint;

/// Describes what counting all deals shows to a person with these facts; `wrong` were accusations, and `names` names
/// three cards.
pub(crate) fn hint(facts: &Facts, wrong: &[[usize; 3]], names: impl Fn([usize; 3]) -> String) -> String {
    let Some(hint) = Hint::new(facts, wrong) else { return "There are too many deals to count.".to_owned() };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of deals")]
    let deals = match hint.deals as u128 {
        1 => "1 deal is left".to_owned(),
        deals => format!("{} deals are left", grouped(deals)),
    };
    let Some(question) = hint.question else {
        return format!("{deals}. The solution is certain: {}.", names(hint.likeliest));
    };
    let (solutions, percent) = (hint.solutions, 100.0 * hint.chance);
    let (likeliest, question) = (names(hint.likeliest), names(question));
    format!(
        "{deals}, with {solutions} solutions.\n\
        The likeliest solution, {percent:.1} %: {likeliest}.\n\
        The suggestion that tells most: {question}."
    )
}
