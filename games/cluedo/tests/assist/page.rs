//! `cluedo assist --web` in a browser: it computes what the library computes, and everybody can use it.

use amazons_browser::{Browser, assert_good};
use cluedo::assist::case::Case;
use cluedo::assist::entry::{Answer, Entry, Rule};
use cluedo::assist::logic::{Fact, Logic, Shape};
use cluedo::assist::proof::explain;
use cluedo::assist::reasons::{contradiction, support};
use cluedo::deck::CardSet;
use rand::RngExt;
use serde_json::{Value, json};

use super::reasons::cases;
use crate::knowledge::vectors::{VECTORS, seat};
use crate::support::{TemporaryFile, command, said};

/// Opens the page.
fn open() -> Option<Browser> {
    let mut browser = Browser::start()?;
    let file = TemporaryFile::new();
    let name = format!("{}.html", file.name());
    let said = said(command(&["assist", "--web", &name]), b"");
    assert_eq!(said, format!("{name} is the helper: open it in a browser\n"));
    browser.open(&format!("file://{name}"));
    std::fs::remove_file(name).expect("it is ours");
    Some(browser)
}

fn cards(cards: CardSet) -> Vec<usize> {
    cards.iter().collect()
}

/// A case as the page's scripts know it.
fn game(case: &Case) -> Value {
    let entry = |entry: &Entry| match entry {
        Entry::Suggestion { by, cards, answers } => {
            let answer = |answer: &Answer| match *answer {
                Answer::Passes(seat) => json!({ "type": "passes", "seat": seat }),
                Answer::Shows(seat) => json!({ "type": "shows", "seat": seat }),
                Answer::ShowsCard(seat, card) => json!({ "type": "card", "seat": seat, "card": card }),
            };
            let answers: Vec<Value> = answers.iter().map(answer).collect();
            json!({ "type": "suggestion", "by": by, "cards": cards, "answers": answers })
        }
        Entry::WrongAccusation { by, cards } => json!({ "type": "accusation", "by": by, "cards": cards }),
        Entry::Has(seat, card) => json!({ "type": "has", "seat": seat, "card": card }),
        Entry::Lacks(seat, card) => json!({ "type": "lacks", "seat": seat, "card": card }),
    };
    let deck = case.deck();
    let names: Vec<&str> = deck.all().iter().map(|card| case.card_names.name(card)).collect();
    let ends: Vec<usize> = (0..3).map(|kind| deck.range(kind).end).collect();
    let entries: Vec<Value> = case.entries().iter().map(entry).collect();
    json!({
        "deck": { "kinds": case.card_names.kinds, "names": names, "ends": ends, "articles": [false, false, false] },
        "players": case.names(), "me": case.me(), "sizes": case.sizes(), "hand": case.hand().map(cards),
        "open": cards(case.public()), "entries": entries,
    })
}

/// What the page finds in many games.
const SOLVE: &str = "games.map((game) => {
    const shape = shapeOf(game), pieces = piecesOf(game);
    const logic = new Logic(shape, pieces.map(({ rule }) => rule));
    const told = (fact) => {
        const found = support(shape, pieces, fact);
        return found && { sources: found.sources, smallest: found.isSmallest, why: explain(game, fact, found.pieces) };
    };
    const sentences = game.entries.map((entry) => entryText(game, entry));
    const deals = logic.run() ? null : countDeals(logic);
    if (!deals || deals.total === 0n) return { sentences, contradiction: told(null) };
    const places = deals.places();
    const facts = [];
    places.forEach((counts, place) => counts.forEach((count, card) => {
        if (count === deals.total) facts.push([card, place, told(there(card, place))]);
    }));
    const solutions = countDeals(logic, true).solutions().map(({ cards, count }) => [cards, String(count)]);
    const drawn = deals.draw(randomNumbers(7));
    return { sentences, places: places.map((counts) => counts.map(String)), facts, solutions, drawn };
})";

/// What the library finds.
fn solve(case: &Case) -> Value {
    let (shape, pieces) = (case.shape(), case.pieces());
    let told = |fact: Option<Fact>| {
        let found = match fact {
            Some(fact) => support(&shape, &pieces, fact),
            None => contradiction(&shape, &pieces),
        };
        let found = found.expect("it follows");
        json!({ "sources": found.sources, "smallest": found.is_smallest, "why": explain(case, fact, &found.pieces) })
    };
    let sentences: Vec<String> = case.entries().iter().map(|entry| case.sentence(entry)).collect();
    let Some(chances) = case.chances().expect("few") else {
        return json!({ "sentences": sentences, "contradiction": told(None) });
    };
    let places: Vec<Vec<String>> =
        chances.places.iter().map(|counts| counts.iter().map(u128::to_string).collect()).collect();
    let mut located = chances.located();
    located.sort_by_key(|fact| (fact.place, fact.card));
    let facts: Vec<Value> = located.iter().map(|fact| json!([fact.card, fact.place, told(Some(*fact))])).collect();
    let solutions: Vec<Value> =
        case.solutions().expect("few").iter().map(|(cards, count)| json!([cards, count.to_string()])).collect();
    json!({ "sentences": sentences, "places": places, "facts": facts, "solutions": solutions })
}

#[test]
fn the_page_finds_what_the_library_finds() {
    let Some(mut browser) = open() else { return };
    let mut games: Vec<Case> = Vec::new();
    for (place, (mut case, mut rng)) in cases("page", 60).enumerate() {
        for _ in 0..if place % 3 == 0 { 3 } else { 0 } {
            let (card, seat) = (rng.random_range(0..case.deck().len()), rng.random_range(0..case.names().len()));
            if !case.public().contains(card) {
                let entry = if rng.random_bool(0.5) { Entry::Has(seat, card) } else { Entry::Lacks(seat, card) };
                case.add(entry).expect("an entry");
            }
        }
        games.push(case);
    }
    let texts: Vec<Value> = games.iter().map(game).collect();
    let found = browser.eval(&format!("(() => {{ const games = {}; return {SOLVE}; }})()", Value::from(texts)));
    let mut contradictory = 0;
    for (case, found) in games.iter().zip(found.as_array().expect("a list")) {
        let mut found = found.clone();
        if let Some(drawn) = found.as_object_mut().expect("an object").remove("drawn") {
            let drawn: Vec<Option<usize>> = serde_json::from_value(drawn).expect("places");
            let drawn: Vec<usize> = drawn.into_iter().map(|place| place.unwrap_or(usize::MAX)).collect();
            assert!(keeps(&case.shape(), &case.rules(), &drawn), "{drawn:?} {case:?}");
        } else {
            contradictory += 1;
        }
        assert_eq!(found, solve(case), "{case:?}");
    }
    assert!((3..40).contains(&contradictory), "{contradictory}");
    assert_eq!(browser.complaints, [""; 0]);
}

/// Whether a deal keeps to all rules.
fn keeps(shape: &Shape, rules: &[Rule], deal: &[usize]) -> bool {
    let mut logic = Logic::new(shape, rules);
    let placed = (0..deal.len()).filter(|&card| deal[card] != usize::MAX);
    placed
        .into_iter()
        .all(|card| logic.conclude(Fact::there(card, deal[card]), cluedo::assist::logic::Cause::Assumed).is_ok())
        && logic.run().is_ok()
}

#[test]
fn the_page_counts_the_vectors() {
    let Some(mut browser) = open() else { return };
    for (place, vector) in VECTORS.iter().enumerate() {
        let (shape, rules) = Shape::of(&seat(vector.lines).facts);
        let rule = |rule: &Rule| match *rule {
            Rule::Has(seat, of) => json!({ "type": "has", "seat": seat, "cards": cards(of) }),
            Rule::Lacks(seat, of) => json!({ "type": "lacks", "seat": seat, "cards": cards(of) }),
            Rule::OneOf(seat, of) => json!({ "type": "oneOf", "seat": seat, "cards": cards(of) }),
            Rule::NotAll(of) => json!({ "type": "notAll", "cards": cards(of) }),
        };
        let rules: Vec<Value> = rules.iter().map(rule).collect();
        let ends: Vec<usize> = (0..3).map(|kind| shape.deck.range(kind).end).collect();
        let table = json!({ "ends": ends, "open": [], "sizes": shape.sizes });
        let count = format!(
            "(() => {{ const logic = new Logic({table}, {}); logic.run(); \
             return [String(countDeals(logic).total), countDeals(logic, true).solutions().length]; }})()",
            Value::from(rules)
        );
        let expected = json!([format!("{}", vector.deals), vector.triples]);
        assert_eq!(browser.eval(&count), expected, "V{}", place + 1);
    }
}

/// Checks the page as it is now, wide and narrow, light and dark.
fn assert_good_everywhere(browser: &mut Browser, page: &str) {
    for (width, scheme) in [(1200, "light"), (360, "dark")] {
        browser.size(width, 800);
        browser.prefer("prefers-color-scheme", scheme);
        assert_good(browser, &format!("{page}, {width} wide, {scheme}"));
        let wide = browser.eval("document.documentElement.scrollWidth > window.innerWidth");
        assert_eq!(wide, false, "{page} is wider than {width}");
    }
}

/// Fills in a form as a person does.
const FILL: &str = "const set = (node, value) => {
        node.value = value;
        node.dispatchEvent(new Event('change', { bubbles: true }));
    };
    const suggest = (by, cards, answers) => {
        set(byId('type'), 'suggestion');
        set(byId('by'), by);
        [...byId('cards').querySelectorAll('select')].forEach((select, place) => set(select, cards[place]));
        [...byId('answers').querySelectorAll('select')].forEach((select, place) => set(select, answers[place] ?? ''));
        byId('form').requestSubmit();
    };";

#[test]
fn a_game_is_followed_in_the_page() {
    let Some(mut browser) = open() else { return };
    browser.eval("localStorage.clear()");
    assert_good_everywhere(&mut browser, "a new game");
    let status = "byId('status').textContent";
    assert_eq!(browser.eval(status), "250,092,722,880 deals are left.");
    // A hand that is too small is refused.
    browser.eval("[5, 10, 19].forEach((card) => (byId('hand').querySelectorAll('input')[card].checked = true)); byId('setup').requestSubmit()");
    assert_eq!(browser.eval("byId('setupWrong').textContent"), "Choose 5 cards as your hand; these are 3.");
    browser.eval("[7, 18].forEach((card) => (byId('hand').querySelectorAll('input')[card].checked = true)); byId('setup').requestSubmit()");
    assert_eq!(browser.eval(status), "12,612,600 deals are left.");
    browser.eval(&format!("{{ {FILL} suggest(1, [0, 6, 12], ['passes', 'shows']); }}"));
    assert_eq!(browser.eval(status), "3,660,300 deals are left.");
    // Ben's pass in between goes without saying.
    browser.eval(&format!("{{ {FILL} suggest(0, [3, 11, 20], ['', 11]); }}"));
    let entry = "[...byId('entries').children].at(-1).firstChild.textContent";
    assert_eq!(
        browser.eval(entry),
        "You suggest Reverend Green, Spanner, Lounge: Anna passes, Ben shows you the Spanner."
    );
    assert_eq!(browser.eval(status), "432,572 deals are left.");
    for card in [0, 12] {
        browser.eval(&format!("{{ {FILL} set(byId('type'), 'lacks'); set(byId('by'), 3); set(byId('cards').querySelector('select'), {card}); byId('form').requestSubmit(); }}"));
    }
    assert_eq!(browser.eval(status), "79,800 deals are left.");
    let certain = browser.eval("byId('certain').textContent");
    let certain = certain.as_str().expect("text");
    assert!(certain.starts_with("Carl has the Candlestick, because of entries 1, 3 and 4."), "{certain}");
    assert!(certain.ends_with("so it was the Candlestick."), "{certain}");
    browser.wait("byId('question').textContent.startsWith('Ask for ')");
    assert_good_everywhere(&mut browser, "a game");
    // The grid by keyboard.
    browser.eval("byId('grid').querySelector('td button').focus()");
    for key in ["ArrowRight", "ArrowDown"] {
        browser.key(key);
    }
    assert_eq!(browser.eval("document.activeElement.ariaLabel"), "Colonel Mustard, Anna: 38 percent");
    browser.eval("document.activeElement.click()");
    assert_eq!(browser.eval("byId('cell').textContent"), "Anna has Colonel Mustard: 30,080 of 79,800 deals, 37.7 %.");
    browser.eval("byId('numbers').click()");
    assert_eq!(browser.eval("byId('grid').tBodies[0].rows[1].cells[2].textContent"), "38%");
    // A contradiction, and the way out of it.
    browser.eval(&format!("{{ {FILL} suggest(2, [0, 6, 12], ['passes', 'passes', 'shows']); }}"));
    assert_eq!(browser.eval(status), "Entries 1 and 5 contradict each other. Change or delete one of them.");
    assert_good_everywhere(&mut browser, "a contradiction");
    browser.eval("byId('entries').lastChild.querySelectorAll('button')[1].click()");
    assert_eq!(browser.eval(status), "79,800 deals are left.");
    browser.eval("byId('entries').firstChild.querySelector('button').click()");
    assert_eq!(browser.eval("byId('add').textContent"), "Change entry 1");
    browser.eval("byId('cancel').click()");
    // Other names, and the game is still there after the page is loaded again.
    browser.eval("(() => { const names = byId('language').querySelector('select'); names.value = 'french'; names.onchange(); })()");
    assert_eq!(
        browser.eval("byId('entries').firstChild.firstChild.textContent"),
        "Anna suggests Mademoiselle Rose, Chandelier, Cuisine: Ben passes, Carl shows a card."
    );
    // What nobody has is an entry, too.
    let nobody = "set(byId('type'), 'has'); set(byId('by'), 4); set(byId('cards').querySelector('select'), 13);";
    browser.eval(&format!("{{ {FILL} {nobody} byId('form').requestSubmit(); }}"));
    assert_eq!(browser.eval(entry), "Salle à manger is in the solution.");
    // One press loses nothing, not even before the page is loaded again.
    let count = "byId('entries').children.length";
    assert_eq!(browser.eval(count), 5);
    browser.eval("byId('clear').click()");
    assert_eq!(browser.eval(count), 0);
    assert!(browser.eval("byId('setupWrong').textContent").as_str().is_some_and(|text| text.contains("Undo")));
    browser.eval("game = newGame(); past = []; restore(); refresh();");
    assert_eq!(browser.eval(count), 0);
    for left in [5, 4] {
        browser.eval("byId('undo').click()");
        assert_eq!(browser.eval(count), left);
    }
    browser.eval("byId('entries').lastChild.querySelectorAll('button')[1].click()");
    assert_eq!(browser.eval(count), 3);
    browser.eval("byId('undo').click()");
    assert_eq!(browser.eval(count), 4);
    assert_eq!(browser.complaints, [""; 0]);
}
