use cluedo::assist::words::grouped;
use cluedo::knowledge::facts::Facts;
use cluedo::knowledge::hint::Hint;
use cluedo::record::{Story, Viewer};

/// Describes what counting all deals shows to a person with these facts; `wrong` were accusations, and `names` names
/// three cards.
fn hint(facts: &Facts, wrong: &[[usize; 3]], names: impl Fn([usize; 3]) -> String) -> String {
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

/// Returns the hint for a person's own turn; nothing if the game does not tell the person's cards.
pub(crate) fn own_hint(story: &Story, me: usize, names: impl Fn([usize; 3]) -> String) -> Option<String> {
    let person = Viewer::Seat(me);
    let accused = story.turns.iter().filter_map(|turn| story.accused(person, turn));
    let wrong: Vec<[usize; 3]> = accused.filter(|(_, is_right)| !is_right).map(|(cards, _)| cards).collect();
    Some(hint(&story.facts(person, story.turns.len())?, &wrong, names))
}
