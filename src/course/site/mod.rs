//! The pages of a course: those of its ladder, how to hand in, and what a team may see.
//!
//! A team shows its token with each request, in a header that no page of another site can send. There are no cookies, so
//! that nobody acts in a team's name by a link.

mod guesses;
mod how;
mod results;
mod teacher;
mod team;
mod upload;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};

use amazons_pages::{Access, Pages, Refusal, text};
use axum::Router;
use axum::extract::Path as Part;
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Redirect, Response};
use axum::routing::{get, post};
use tokio::task::spawn_blocking;

use guesses::Guesses;
pub(super) use how::TEMPLATES;
pub(crate) use how::how_to_submit;
pub(crate) use team::TeamView;

use super::job::{Shared, locked};
use super::{Course, CourseError, Rule, Store};
use crate::watch::{Folder, Page, Places, Site};

/// Where versions are handed in.
const SUBMIT: &str = "/api/submit";

/// Where the teacher acts.
const ACT: &str = "/api/teacher/act";

/// The pages that the top bar leads to.
const PLACES: Places =
    &[("/event/0", "Standings"), ("/submit", "Hand in"), ("/team", "Your team"), ("/editor", "Editor")];

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
        let Some(token) = shown_token(headers).map(str::to_owned) else {
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
        let mut arriving = amazons_program::locked(&self.arriving);
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
        amazons_program::locked(&self.site.arriving).remove(&self.team);
    }
}

impl Pages for CourseSite {
    fn routes(self: Arc<Self>) -> Router {
        let watch = Arc::clone(&self.watch).routes();
        Router::new()
            .route("/", get(async || Redirect::to(PLACES[0].0)))
            .route("/submit", get(how::hand_in))
            .route("/start/{name}", get(how::start_file))
            .route("/team", get(async || TEAM.at(PLACES, "/team")))
            .route("/teacher", get(async || TEACHER.at(PLACES, "/teacher")))
            .route(ACT, post(teacher::act))
            .route("/api/teacher/{table}", get(teacher::table))
            .route("/assets/{name}", get(asset))
            .route(SUBMIT, post(upload::submit))
            .route("/api/submit/{version}", post(upload::choose))
            .route("/api/team", get(team::overview))
            .route("/api/team/versions/{version}/{file}", get(team::file))
            .route("/api/team/games/{game}/log", get(team::log))
            .with_state(self)
            .fallback_service(watch)
    }

    fn is_called(&self, name: &str) -> bool {
        locked(&self.store).settings().0.names.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    fn uploads(&self) -> &'static [&'static str] {
        &[SUBMIT, ACT]
    }

    /// Teams by their names, and the teacher.
    fn member(&self, headers: &HeaderMap) -> Option<usize> {
        let token = shown_token(headers)?;
        let store = locked(&self.store);
        let course = store.course();
        let team = course.team_of(token).and_then(|name| course.teams().keys().position(|it| it == name));
        team.or_else(|| course.is_teacher(token).then_some(course.teams().len()))
    }

    async fn run(self: Arc<Self>) {
        Arc::clone(&self.watch).run().await;
    }
}

/// Returns the token in the head of a request.
fn shown_token(headers: &HeaderMap) -> Option<&str> {
    let mut given = headers.get_all(AUTHORIZATION).iter();
    let (scheme, token) = given.next()?.to_str().ok()?.split_once(' ')?;
    (scheme.eq_ignore_ascii_case("Bearer") && given.next().is_none()).then(|| token.trim())
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
        CourseError::Refused(rule) => status_of(rule),
        error if error.is_full() => StatusCode::INSUFFICIENT_STORAGE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    if matches!(error, CourseError::Refused(_)) {
        return (status, format!("{error}\n"));
    }
    crate::complain(&error.to_string());
    // Paths are none of a team's business.
    let reason = if error.is_full() { "the server's disk is full" } else { "the server failed" };
    (status, format!("{reason}: nothing was taken; try again later\n"))
}

/// Returns the status of HTTP for a rule of the course that stands against a request.
const fn status_of(rule: &Rule) -> StatusCode {
    match rule {
        Rule::NoTeam(_) | Rule::NoStage(_) | Rule::NotACourse(_) => StatusCode::NOT_FOUND,
        Rule::AnotherUsers(_) | Rule::Withdrawn(_) | Rule::Over(_) | Rule::Frozen => StatusCode::FORBIDDEN,
        Rule::Quota { .. } => StatusCode::TOO_MANY_REQUESTS,
        Rule::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
        Rule::Useless(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Rule::Unreadable { .. } | Rule::Settings(_) | Rule::Baseline(_) => StatusCode::BAD_REQUEST,
        Rule::NotAdmitted { .. }
        | Rule::NotWithdrawn(_)
        | Rule::TeamExists(_)
        | Rule::IsBaseline(_)
        | Rule::Exists(_)
        | Rule::Ladder(_)
        | Rule::Unsettled(_)
        | Rule::TooFewPlayers(_) => StatusCode::CONFLICT,
    }
}
