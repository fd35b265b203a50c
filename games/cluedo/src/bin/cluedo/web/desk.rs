//! A person's own game in a browser.

use std::future::ready;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use amazons_pages::{PLAY, Pages, Refusal, Server, Token, missing, object, read, split_play, text};
use amazons_program::Exit;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use cluedo::deck::{Card, CardSet, Triple};
use cluedo::pack::{self, Pack};
use cluedo::record::{Act, Ending, Rules, Story, Viewer};
use cluedo::table::{Event, Over, Person, Turn};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::route::{Followed, Words, asset, changes, moment, with_moment};
use super::state::{stamp, state};
use super::{Address, failed};
use crate::hint::hint;

const PAGE: &str = include_str!("assets/play.html");

/// The table of a person and what it is asked.
pub(crate) struct Desk {
    token: Token,
    table: Mutex<Table>,
    answered: Condvar,
    followed: Followed,
}

/// What the page shows. Of other hands and of the solution it has nothing before the end.
struct Table {
    story: Story,
    ask: Option<Ask>,
    /// Counts questions: an answer to an old one is not taken.
    step: usize,
    reply: Option<Reply>,
}

/// What the person is asked.
#[derive(Clone, Copy)]
enum Ask {
    /// A suggestion or an accusation.
    Turn,
    /// Which of these cards to show.
    Card { asker: usize, choices: CardSet },
    /// To close the page, after the end.
    Close,
}

/// What the person does.
#[derive(Clone, Copy)]
enum Reply {
    Turn(Turn),
    Card(Card),
    Leave,
}

/// An answer of the page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    step: usize,
    #[serde(default)]
    cards: Vec<u8>,
}

impl Desk {
    /// Sets the table, with the hand of the person.
    pub(crate) fn new(sizes: &[usize], hand: CardSet, commitment: String) -> Result<Arc<Self>, Exit> {
        let name = |rank| if rank == 0 { "you".to_owned() } else { format!("AI {rank}") };
        let names = (0..sizes.len()).map(name).collect();
        let mut story = Story::new(Rules::Classic, names, Pack::CLASSIC, sizes.to_vec());
        story.hands[0] = Some(numbers(hand));
        story.commitment = commitment;
        let table = Mutex::new(Table { story, ask: None, step: 0, reply: None });
        Ok(Arc::new(Self {
            token: Token::new().map_err(failed)?,
            table,
            answered: Condvar::new(),
            followed: Followed::default(),
        }))
    }

    /// Shows the page; returns its server and its address.
    pub(crate) fn serve(self: &Arc<Self>, address: Address) -> Result<(Server, String), Exit> {
        let server = address.serve(Arc::clone(self))?;
        let path = format!("{}{}", PLAY.trim_start_matches('/'), self.token.as_str());
        let url = format!("{}{path}", server.url());
        Ok((server, url))
    }

    /// Takes over what the person may see.
    fn tell(&self, event: &Event) {
        let cards = |cards: Triple| cards.map(Card::index);
        let story = &mut self.lock().story;
        let told = match *event {
            Event::Suggest { rank, cards: named } => story.suggest(rank, cards(named)),
            Event::Pass { rank } => story.pass(rank),
            Event::Show { rank, card } => story.show(rank, card.map(Card::index)),
            Event::Accuse { rank, cards: named, is_right } => story.accuse(rank, Some((cards(named), is_right))),
            Event::Leave { rank } => story.push(rank, Act::Leave),
        };
        // The master's events always fit.
        debug_assert_eq!(told, Ok(()));
    }

    /// Opens everything after the end: the solution, the hands, and the cards that were shown.
    pub(crate) fn end(&self, over: &Over, hands: &[CardSet], shown: &[Card]) {
        let story = &mut self.lock().story;
        // The cards that the person saw are known already.
        let is_hidden: Vec<bool> = story
            .turns
            .iter()
            .filter_map(|turn| match turn.act {
                Act::Suggestion { shown: Some(answered), .. } => Some(answered.card.is_none()),
                _ => None,
            })
            .collect();
        let shown: Vec<usize> =
            shown.iter().zip(is_hidden).filter(|(_, is_hidden)| *is_hidden).map(|(card, _)| card.index()).collect();
        let hands: Vec<pack::CardSet> = hands.iter().map(|&hand| numbers(hand)).collect();
        let ending = over.winner.map_or(Ending::Nobody, Ending::Won);
        let told = story.end(ending, over.solution.map(Card::index), &hands, &shown, &[]);
        debug_assert_eq!(told, Ok(()));
    }

    /// Waits until the person has closed the page.
    pub(crate) fn await_close(&self) {
        self.ask(Ask::Close);
    }

    /// Asks and waits.
    fn ask(&self, ask: Ask) -> Reply {
        let mut table = self.lock();
        table.step += 1;
        table.ask = Some(ask);
        table.reply = None;
        loop {
            if let Some(reply) = table.reply.take() {
                return reply;
            }
            table = self.answered.wait(table).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes an answer of the page.
    fn reply(&self, name: &str, request: &Request) -> Result<(), Refusal> {
        let unprocessable = |why: &str| (StatusCode::UNPROCESSABLE_ENTITY, format!("{why}\n"));
        let mut table = self.lock();
        let ask = table.ask.filter(|_| table.step == request.step);
        let ask =
            ask.ok_or_else(|| (StatusCode::CONFLICT, "this was not asked, or is answered already\n".to_owned()))?;
        let three = || -> Option<Triple> {
            let [suspect, weapon, room] = request.cards[..] else { return None };
            let cards = [Card::new(suspect)?, Card::new(weapon)?, Card::new(room)?];
            (cards.map(Card::kind) == cluedo::deck::KINDS).then_some(cards)
        };
        let reply = match (name, ask) {
            ("suggest" | "accuse", Ask::Turn) => {
                let cards = three().ok_or_else(|| unprocessable("choose a suspect, a weapon and a room"))?;
                Reply::Turn(if name == "suggest" { Turn::Suggest(cards) } else { Turn::Accuse(cards) })
            }
            ("show", Ask::Card { choices, .. }) => {
                let card = request.cards.first().and_then(|&card| Card::new(card));
                let card = card.filter(|&card| choices.contains(card) && request.cards.len() == 1);
                Reply::Card(card.ok_or_else(|| unprocessable("choose one of the cards that you can show"))?)
            }
            ("leave", _) => Reply::Leave,
            _ => return Err(missing()),
        };
        (table.ask, table.reply) = (None, Some(reply));
        self.answered.notify_all();
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn numbers(hand: CardSet) -> pack::CardSet {
    hand.into_iter().map(Card::index).collect()
}

/// A person who plays in the browser.
pub(crate) struct WebPerson(pub(crate) Arc<Desk>);

impl Person for WebPerson {
    type Error = Exit;

    fn tell(&mut self, event: &Event) -> Result<(), Exit> {
        self.0.tell(event);
        Ok(())
    }

    fn turn(&mut self) -> Result<Option<Turn>, Exit> {
        Ok(match self.0.ask(Ask::Turn) {
            Reply::Turn(turn) => Some(turn),
            Reply::Card(_) | Reply::Leave => None,
        })
    }

    fn refute(&mut self, asker: usize, _: Triple, choices: CardSet) -> Result<Option<Card>, Exit> {
        Ok(match self.0.ask(Ask::Card { asker, choices }) {
            Reply::Card(card) => Some(card),
            Reply::Turn(_) | Reply::Leave => None,
        })
    }
}

/// A person elsewhere, whose game a page shows, too.
pub(crate) struct Watching<P> {
    pub(crate) person: P,
    pub(crate) desk: Option<Arc<Desk>>,
}

impl<P: Person> Person for Watching<P> {
    type Error = P::Error;

    fn tell(&mut self, event: &Event) -> Result<(), P::Error> {
        if let Some(desk) = &self.desk {
            desk.tell(event);
        }
        self.person.tell(event)
    }

    fn turn(&mut self) -> Result<Option<Turn>, P::Error> {
        self.person.turn()
    }

    fn refute(&mut self, asker: usize, cards: Triple, choices: CardSet) -> Result<Option<Card>, P::Error> {
        self.person.refute(asker, cards, choices)
    }
}

impl Pages for Desk {
    fn routes(self: Arc<Self>) -> Router {
        Router::new()
            .route("/assets/{name}", get(asset))
            .route("/play/{token}", get(page))
            .route("/play/{token}/state", get(own_state))
            .route("/play/{token}/changes", get(own_changes))
            .route("/play/{token}/{request}", post(act))
            .fallback(|| async { missing() })
            .with_state(self)
    }

    fn player<'a>(&self, path: &'a str) -> Option<(usize, &'a str)> {
        let (token, rest) = split_play(path)?;
        self.token.is(token).then_some((0, rest))
    }

    async fn farewell(&self) {
        self.followed.farewell().await;
    }
}

fn check(desk: &Desk, token: &str) -> Result<(), Refusal> {
    if desk.token.is(token) { Ok(()) } else { Err(missing()) }
}

async fn page(State(desk): State<Arc<Desk>>, Path(token): Path<String>) -> Result<Response, Refusal> {
    check(&desk, &token)?;
    Ok(text("text/html", with_moment(PAGE)))
}

async fn own_state(
    State(desk): State<Arc<Desk>>,
    Path(token): Path<String>,
    Query(words): Query<Words>,
) -> Result<Response, Refusal> {
    check(&desk, &token)?;
    let (viewer, ply) = moment(&words)?;
    let (story, ask, step) = {
        let table = desk.lock();
        (table.story.clone(), table.ask, table.step)
    };
    let value = spawn_blocking(move || {
        let mut value = state(&story, viewer.unwrap_or(Viewer::Seat(0)), ply)?;
        if let Some(Ask::Turn) = ask {
            value["hint"] = own_hint(&story).into();
        }
        Some(value)
    })
    .await;
    let failed = |_| (StatusCode::INTERNAL_SERVER_ERROR, "this failed\n".to_owned());
    let not_yet = (StatusCode::FORBIDDEN, "this can be seen after the end of the game\n".to_owned());
    let mut value = value.map_err(failed)?.ok_or(not_yet)?;
    value["step"] = step.into();
    value["ask"] = match ask {
        None => Value::Null,
        Some(Ask::Turn) => json!({ "what": "turn" }),
        Some(Ask::Card { asker, choices }) => {
            let cards: Vec<usize> = choices.into_iter().map(Card::index).collect();
            json!({ "what": "card", "asker": asker, "choices": cards })
        }
        Some(Ask::Close) => json!({ "what": "close" }),
    };
    Ok(object(&value))
}

/// Returns the hint for the person's turn.
fn own_hint(story: &Story) -> Option<String> {
    let person = Viewer::Seat(0);
    let accused = story.turns.iter().filter_map(|turn| story.accused(person, turn));
    let wrong: Vec<[usize; 3]> = accused.filter(|(_, is_right)| !is_right).map(|(cards, _)| cards).collect();
    Some(hint(&story.facts(person, story.turns.len())?, &wrong))
}

async fn own_changes(State(desk): State<Arc<Desk>>, Path(token): Path<String>) -> Result<Response, Refusal> {
    check(&desk, &token)?;
    let followed = desk.followed.clone();
    Ok(changes(move || {
        let _ = &followed;
        let table = desk.lock();
        let asks = 2 * table.step + usize::from(table.ask.is_some());
        ready(Some((asks << 32) + stamp(&table.story)))
    }))
}

async fn act(
    State(desk): State<Arc<Desk>>,
    Path((token, name)): Path<(String, String)>,
    body: Body,
) -> Result<Response, Refusal> {
    check(&desk, &token)?;
    let request: Request = read(body, "{\"step\": N, \"cards\": [0, 6, 12]}").await?;
    desk.reply(&name, &request)?;
    Ok(object(&json!({ "taken": request.step })))
}
