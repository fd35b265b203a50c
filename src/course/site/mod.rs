//! The pages of a course: those of its ladder, how to hand in, and what a team may see.
//!
//! A team shows its token with each request, in a header that no page of another site can send. There are no cookies, so
//! that nobody acts in a team's name by a link.

mod guesses;
mod results;
mod teacher;
mod team;
mod upload;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use amazons_pages::{Access, Pages, Refusal, missing, text};
use amazons_program::escaped;
use axum::Router;
use axum::extract::{Path as Part, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tokio::task::spawn_blocking;

use guesses::Guesses;

use super::job::{Shared, locked};
use super::{Course, CourseError, CourseSettings, Store};
use crate::new_player::{self, Template};
use crate::tournament::ladder::check_words;
use crate::watch::{Folder, Page, Places, Site};

/// Where versions are handed in.
const SUBMIT: &str = "/api/submit";

/// The pages that the top bar leads to.
const PLACES: Places =
    &[("/event/0", "Standings"), ("/", "Games"), ("/submit", "Hand in"), ("/team", "Your team"), ("/editor", "Editor")];

const HAND_IN: Page = page(
    "Hand in a player",
    concat!(
        "<main class=\"page event\">\n<h1>Hand in a player</h1>\n",
        include_str!("../assets/how.html"),
        include_str!("../assets/submit.html")
    ),
);
const TEAM: Page = page("Your team", include_str!("../assets/team.html"));
const TEACHER: Page = page("The course", include_str!("../assets/teacher.html"));

const fn page(title: &'static str, body: &'static str) -> Page {
    Page { title, has_heading: false, scripts: &["tables.js", "course.js"], body }
}

/// A course as browsers see it.
pub struct CourseSite {
    store: Shared,
    watch: Arc<Site>,
    /// The teams whose uploads are arriving.
    arriving: Mutex<BTreeSet<String>>,
    guesses: Guesses,
    results: results::Results,
}

impl std::fmt::Debug for CourseSite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CourseSite").finish_non_exhaustive()
    }
}

impl CourseSite {
    /// Shows a course, whose ladder is in a folder.
    pub fn new(store: Shared, ladder: &Path, title: &str) -> std::io::Result<Self> {
        let folder = Folder::new(ladder)?.called(title);
        let watch = Site::of_folders(Access::Public, vec![folder], Vec::new()).with_places(PLACES);
        let results = results::Results::new(ladder);
        Ok(Self { store, watch: Arc::new(watch), arriving: Mutex::default(), guesses: Guesses::default(), results })
    }

    /// Does something with the course, which may wait for the disk.
    async fn with<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&mut Store) -> Result<T, CourseError> + Send + 'static,
    ) -> Result<T, Refusal> {
        let store = Arc::clone(&self.store);
        let done = spawn_blocking(move || act(&mut locked(&store))).await;
        // A panic in there has been reported already.
        let done = done.map_err(|_| (StatusCode::INTERNAL_SERVER_ERROR, "the server failed\n".to_owned()))?;
        done.map_err(|error| refusal(&error))
    }

    /// Returns the team whose token a request shows.
    async fn team(self: &Arc<Self>, headers: &HeaderMap) -> Result<String, Refusal> {
        self.shown(headers, "team", |course, token| course.team_of(token).map(str::to_owned)).await
    }

    /// Lets the teacher through.
    async fn teacher(self: &Arc<Self>, headers: &HeaderMap) -> Result<(), Refusal> {
        self.shown(headers, "teacher", |course, token| course.is_teacher(token).then_some(())).await
    }

    /// Returns whose token a request shows.
    async fn shown<T: Send + 'static>(
        self: &Arc<Self>,
        headers: &HeaderMap,
        who: &str,
        find: fn(&Course, &str) -> Option<T>,
    ) -> Result<T, Refusal> {
        let mut given = headers.get_all(AUTHORIZATION).iter();
        let token = given.next().and_then(|value| value.to_str().ok()?.strip_prefix("Bearer ")).map(str::trim);
        let Some(token) = token.filter(|_| given.next().is_none()).map(str::to_owned) else {
            let advice = "show your token: curl -H 'Authorization: Bearer TOKEN'\n";
            return Err((StatusCode::UNAUTHORIZED, advice.to_owned()));
        };
        let found = self
            .with(move |store| {
                store.refresh()?;
                Ok(find(store.course(), &token))
            })
            .await?;
        found.ok_or_else(|| self.guesses.refused(who))
    }

    /// Lets one upload of a team arrive at a time.
    fn arrive(self: &Arc<Self>, team: &str) -> Result<Arriving, Refusal> {
        let mut arriving = self.arriving.lock().unwrap_or_else(PoisonError::into_inner);
        if !arriving.insert(team.to_owned()) {
            let reason = "another upload of your team is arriving: wait for it\n";
            return Err((StatusCode::CONFLICT, reason.to_owned()));
        }
        Ok(Arriving { site: Arc::clone(self), team: team.to_owned() })
    }
}

/// The right of a team's upload to arrive.
struct Arriving {
    site: Arc<CourseSite>,
    team: String,
}

impl Drop for Arriving {
    fn drop(&mut self) {
        self.site.arriving.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.team);
    }
}

impl Pages for CourseSite {
    fn routes(self: Arc<Self>) -> Router {
        let watch = Arc::clone(&self.watch).routes();
        Router::new()
            .route("/submit", get(hand_in))
            .route("/start/{name}", get(start))
            .route("/team", get(async || TEAM.at(PLACES, "/team")))
            .route("/teacher", get(async || TEACHER.at(PLACES, "/teacher")))
            .route("/api/teacher/{table}", get(teacher::table))
            .route("/assets/{name}", get(asset))
            .route(SUBMIT, post(upload::submit))
            .route("/api/team", get(team::overview))
            .route("/api/team/versions/{version}/{file}", get(team::file))
            .route("/api/team/games/{game}/log", get(team::log))
            .with_state(self)
            .fallback_service(watch)
    }

    fn is_called(&self, name: &str) -> bool {
        locked(&self.store).settings().0.names.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    fn uploads(&self) -> Option<&'static str> {
        Some(SUBMIT)
    }

    async fn run(self: Arc<Self>) {
        Arc::clone(&self.watch).run().await;
    }
}

/// Shows how to hand in, with the rules of this course.
async fn hand_in(State(site): State<Arc<CourseSite>>, headers: HeaderMap) -> Result<Response, Refusal> {
    let settings = site.with(|store| Ok(store.settings().0.clone())).await?;
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or("THIS-SERVER");
    let words = [
        ("RULES", rules(&settings)),
        ("CHECK", check_line(&settings)),
        ("ORIGIN", format!("http://{}", escaped(host))),
    ];
    Ok(HAND_IN.filled(PLACES, "/submit", &words))
}

/// Returns a part of a page about handing in.
pub(crate) fn how_to_submit(settings: &CourseSettings) -> String {
    format!("<h2>Handing in</h2>\n{}", include_str!("../assets/how.html").replace("CHECK", &check_line(settings)))
}

/// Returns the words after `server` that check a player as this course does.
fn check_line(settings: &CourseSettings) -> String {
    escaped(&check_words(&settings.plan, settings.admission.check.unwrap_or(5)).join(" "))
}

/// Returns the rules of the games as items of a list.
fn rules(settings: &CourseSettings) -> String {
    let CourseSettings { plan, per_day, upload_max, .. } = settings;
    let limits = plan.game.options().join(" ");
    let items = [
        format!("Boards: {}, in turn for each two players.", plan.boards.join(", ")),
        format!("{} random plies before each pair of games, in which both sides are played.", plan.plies),
        format!("Limits of each game, as in server --help: {limits}"),
        format!(
            "A team hands in at most {per_day} versions within 24 hours, each of at most {} KiB.",
            upload_max >> 10
        ),
    ];
    items.map(|item| format!("<li>{}</li>\n", escaped(&item))).concat()
}

/// Returns something to begin a player with.
async fn start(Part(name): Part<String>) -> Result<Response, Refusal> {
    let packed = |template| {
        let packed = new_player::pack(template, "myplayer").map_err(|_| missing())?;
        Ok(([(CONTENT_TYPE, "application/gzip")], packed).into_response())
    };
    match &*name {
        "c.tar.gz" => packed(Template::C),
        "rust.tar.gz" => packed(Template::Rust),
        header => {
            let found = new_player::headers().find(|(path, _)| path.ends_with(header));
            found.map(|(_, words)| text("text/plain", words)).ok_or_else(missing)
        }
    }
}

/// Returns the resources of these pages, or of those of the ladder.
async fn asset(Part(name): Part<String>) -> Response {
    match &*name {
        "course.js" => text("text/javascript", include_str!("../assets/course.js")),
        _ => crate::watch::asset(Part(name)).await,
    }
}

/// Returns the answer to something that cannot be done.
fn refusal(error: &CourseError) -> Refusal {
    let status = match error {
        CourseError::Refused { status, .. } => StatusCode::from_u16(*status).unwrap_or(StatusCode::BAD_REQUEST),
        error if error.is_full() => StatusCode::INSUFFICIENT_STORAGE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    if matches!(error, CourseError::Refused { .. }) {
        return (status, format!("{error}\n"));
    }
    crate::complain(&error.to_string());
    // Paths are none of a team's business.
    let reason = if error.is_full() { "the server's disk is full" } else { "the server failed" };
    (status, format!("{reason}: nothing was taken; try again later\n"))
}
