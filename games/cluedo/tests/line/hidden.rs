//! No byte sent to a seat tells what it may not know.

use cluedo::bots::Kind;
use cluedo::line::message::Echo;
use cluedo::line::message::Line;
use cluedo::line::options::Options;

use super::driver::{Bots, Net, honest};

/// Checks every line that a seat hears: numbers of cards occur only in its hand, in hypotheses, and in cards shown to
/// it for a hypothesis of its own.
fn check(seat: usize, line: &str, own_question: Option<[usize; 3]>) {
    match Line::parse(line.as_bytes()).expect("a server's line") {
        Line::ShownToYou(_, card) => {
            assert!(own_question.expect("a question of its own").contains(&card), "seat {seat}: {line}");
        }
        Line::Pass(who) | Line::Shown(who) | Line::Won(who) => assert!(who < 4, "seat {seat}: {line}"),
        Line::Hand(_) | Line::Hypothesis(_) | Line::Turn | Line::Ask | Line::Nobody | Line::Error(301) => {}
        other => panic!("seat {seat}: {other:?}"),
    }
}

#[test]
fn every_line_to_a_seat_is_one_that_it_may_hear() {
    for echo in [Echo::Others, Echo::All] {
        let mut options = Options::new(4, 300);
        options.echo = echo;
        let mut net = Net::seated(options.clone());
        let mut bots = Bots::new(&[Kind::Bot1, Kind::Bot2Extended, Kind::Bot3, Kind::Bot2], 6);
        let mut questions = [None; 4];
        let mut lines = 0;
        net.heard.iter_mut().for_each(|heard| drop(heard.drain(..6)));
        loop {
            for (seat, question) in questions.iter().enumerate() {
                for line in net.heard[seat].lines() {
                    lines += 1;
                    check(seat, line, *question);
                }
            }
            let before = lines;
            let waits = net.table.waits_for();
            let Some((asked, _)) = waits else { break };
            let mut answers = Vec::new();
            for (seat, player) in bots.players.iter_mut().enumerate() {
                let heard = std::mem::take(&mut net.heard[seat]);
                for line in heard.lines() {
                    let answer = player.answer(Line::parse(line.as_bytes()).expect("a line"));
                    answers.extend(answer.map(|answer| (seat, answer.to_string())));
                }
            }
            assert!(answers.iter().all(|(seat, _)| *seat == asked) && before > 0);
            for (seat, answer) in answers {
                if let Some(cards) = answer.strip_prefix("H ") {
                    let cards: Vec<usize> = cards.split(' ').map(|card| card.parse().expect("a card")).collect();
                    questions[seat] = Some([cards[0], cards[1], cards[2]]);
                }
                net.send(seat, &honest(&answer).expect("bytes"));
            }
        }
        assert!(net.ending.is_some() && lines > 300 * 100);
    }
}

/// Two deals that differ only in what a seat cannot know give it the same bytes, until somebody shows a card.
#[test]
fn hands_of_others_change_no_byte_before_they_are_asked() {
    use cluedo::deal::Deal;
    let heard = |deal: &str| {
        let mut options = Options::new(3, 1);
        options.deals = [Deal::parse(deal, 3).expect("a deal")].into();
        let mut net = Net::seated(options);
        net.send(0, b"H 1 4 8\n");
        net.send(1, b"M 1\n");
        net.take(2)
    };
    assert_eq!(heard("2 5 10 | 0 4 8 | 1 6 9 | 3 7 11"), heard("0 6 8 | 2 4 10 | 1 5 9 | 3 7 11"));
}
