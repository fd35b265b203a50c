use cluedo::assist::words::grouped;
use cluedo::knowledge::facts::Facts;
use cluedo::knowledge::hint::Hint;

/// Describes what counting all deals shows to a person with these facts; `wrong` were accusations, and `names` names
/// three cards.
pub(crate) fn hint(facts: &Facts, wrong: &[[usize; 3]], names: impl Fn([usize; 3]) -> String) -> String {
    let Some(hint) = Hint::new(facts, wrong) else { return "There are too many deals to count.".to_owned() };
    let verb = if hint.deals < 1.5 { "deal is" } else { "deals are" };
    let deals = format!("{} {verb} left", grouped(hint.deals));
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
