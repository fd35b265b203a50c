use cluedo::assist::words::grouped;
use cluedo::knowledge::hint::Hint;
use cluedo::record::{Story, Viewer};

/// Describes what counting all deals shows to a person whose turn it is; nothing if the game does not tell the person's
/// cards. `names` names three cards.
pub(crate) fn own_hint(story: &Story, me: usize, names: impl Fn([usize; 3]) -> String) -> Option<String> {
    let person = Viewer::Seat(me);
    let accused = story.turns.iter().filter_map(|turn| story.accused(person, turn));
    let wrong: Vec<[usize; 3]> = accused.filter(|(_, is_right)| !is_right).map(|(cards, _)| cards).collect();
    let Some(hint) = Hint::new(&story.facts(person, story.turns.len())?, &wrong) else {
        return Some("There are too many deals to count.".to_owned());
    };
    let verb = if hint.deals < 1.5 { "deal is" } else { "deals are" };
    let (deals, likeliest) = (format!("{} {verb} left", grouped(hint.deals)), names(hint.likeliest));
    let Some(question) = hint.question else { return Some(format!("{deals}. The solution is certain: {likeliest}.")) };
    Some(format!(
        "{deals}, with {} solutions.\n\
        The likeliest solution, {:.1} %: {likeliest}.\n\
        The suggestion that tells most: {}.",
        hint.solutions,
        100.0 * hint.chance,
        names(question)
    ))
}
