use std::collections::BTreeMap;

use ts_rs::{Config, TS, TypeVisitor};

use crate::course::TeamView;
use crate::human::Turn;
use crate::publish::{PublishedGames, PublishedMoves};
use crate::puzzles::PuzzleView;
use crate::watch::{AnalysisFailure, AnalysisState, GameList, GameRow, HintView, Offers, PositionView, Summary};
use crate::watch::{EventState, EventSummary, EventView, PublishedEvent};

/// Returns the types of the values that the scripts of pages read, and of what is in them, in TypeScript.
pub fn page_types() -> String {
    let mut types = PageTypes { config: Config::new().with_large_int("number"), declared: BTreeMap::new() };
    <(EventState<'_>, EventSummary<'_>, EventView, PublishedEvent<'_>)>::visit_generics(&mut types);
    <(GameList, GameRow, Summary, PublishedGames, PublishedMoves)>::visit_generics(&mut types);
    <(AnalysisFailure, AnalysisState, Offers, PositionView, Turn, HintView)>::visit_generics(&mut types);
    <(TeamView<'_>, PuzzleView<'_>)>::visit_generics(&mut types);
    let declared: Vec<String> = types.declared.into_values().collect();
    format!("// The values of the server's pages, written by tests/page_types.rs.\n\n{}\n", declared.join("\n\n"))
}

struct PageTypes {
    config: Config,
    /// By name.
    declared: BTreeMap<String, String>,
}

impl TypeVisitor for PageTypes {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Only types of our own have a path.
        if T::output_path().is_some() && !self.declared.contains_key(&T::ident(&self.config)) {
            self.declared.insert(T::ident(&self.config), T::decl(&self.config));
            T::visit_dependencies(self);
        }
    }
}
