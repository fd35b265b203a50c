//! A course as tables of comma-separated values (RFC 4180), for whoever runs it: none of them is public.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use amazons_program::csv_field;
use amazons_statistics::expected_score;
use anyhow::Context;

use super::baseline::Baseline;
use super::build::Usage;
use super::copies::{Given, Suspicion, Work, find};
use super::{Course, CourseSettings, LADDER, PLAYER, Store, Team, UPLOAD, VERSIONS, Version};
use crate::tournament::ladder::{alike, read};
use crate::tournament::{JOURNAL, Overview, PlayerRow, since_1970};

/// Returns a field with text that people have chosen: a spreadsheet takes none of it for a formula.
fn text_field(text: &str) -> String {
    match text.starts_with(['=', '+', '-', '@', '\t']) {
        true => csv_field(&format!("'{text}")),
        false => csv_field(text),
    }
}

/// Returns grades, a line for each team: which version plays, how it did, and its grade.
///
/// The grade is the mean, over the baselines, of the share of points that its Elo makes it expect against them, in
/// percent: all games count, those against other teams as well. Its bounds are those that the bounds of the Elo give.
///
/// The overview is that of the course's ladder, or of an event that was made of the course.
pub fn grades_table(course: &Course, settings: &CourseSettings, overview: &Overview) -> String {
    // Others who are no teams have been forgotten.
    let known = Baseline::names(settings);
    let is_baseline = |name: &str| known.contains(name);
    let baselines: Vec<_> = overview.rows.iter().filter(|row| is_baseline(&row.name)).collect();
    // A ladder that is not at work may still count the version that plays among the former ones.
    let row_of = |(name, team): (&String, &Team)| {
        let rows = overview.rows.iter().chain(&overview.former).filter(|row| row.name == *name);
        let is_of = |row: &PlayerRow, number| team.player(number).map(|player| &player.sha256) == row.sha256.as_ref();
        let playing = team.playing().map(|(number, _)| number);
        // In an event, another version may have played.
        let version = |row: &PlayerRow| match row.version {
            Some(_) => playing.filter(|&number| is_of(row, number)),
            None => team.versions.iter().map(|version| version.number).find(|&number| is_of(row, number)),
        };
        rows.filter_map(|row| Some((row.name.as_str(), (row, version(row)?)))).next()
    };
    let playing: BTreeMap<&str, (&PlayerRow, u32)> = course.teams().iter().filter_map(row_of).collect();
    let rows = playing.values().map(|(row, _)| row).chain(&baselines);
    let kinds: BTreeSet<&str> = rows.flat_map(|row| row.faults.keys()).map(|kind| &**kind).collect();
    let met = overview.records(|game, seat| {
        let names = [seat, 1 - seat].map(|seat| overview.name(game.players[seat]));
        let plays = |(row, _): &(&PlayerRow, u32)| row.sha256 == overview.plan.players[game.players[seat]].sha256;
        (playing.get(names[0]).is_some_and(plays) && is_baseline(names[1])).then_some(names)
    });
    let mut text = "team,state,version,late,elo,error,points,games".to_owned();
    for name in baselines.iter().map(|row| &row.name) {
        let _ = write!(text, ",points_against_{name},games_against_{name}");
    }
    kinds.iter().for_each(|kind| _ = write!(text, ",{kind}"));
    text.push_str(",grade,grade_low,grade_high,display,email\r\n");
    for (name, team) in course.teams() {
        let _ = write!(text, "{}", csv_field(name));
        let Some(&(row, number)) = playing.get(name.as_str()) else {
            let state = if team.is_withdrawn { "withdrawn" } else { "absent" };
            let _ = write!(text, ",{state}{}", ",".repeat(9 + 2 * baselines.len() + kinds.len()));
            push_person(&mut text, team);
            continue;
        };
        let late = if team.version(number).is_some_and(|version| version.is_late) { "yes" } else { "no" };
        let (elo, error) = (row.elo, row.error);
        let _ = write!(text, ",plays,{number},{late},{elo},{error},{},{}", row.points, row.games);
        for baseline in &baselines {
            let record = met.get(&[name.as_str(), baseline.name.as_str()]);
            let _ = write!(text, ",{},{}", record.map_or(0.0, |it| it.points), record.map_or(0, |it| it.games));
        }
        kinds.iter().for_each(|kind| _ = write!(text, ",{}", row.faults.get(*kind).unwrap_or(&0)));
        let count = baselines.len().max(1) as f64;
        let grade = |elo: f64| {
            let expected = baselines.iter().map(|baseline| expected_score(elo - baseline.elo));
            100.0 * expected.sum::<f64>() / count
        };
        for elo in [elo, elo - error, elo + error] {
            let is_known = row.games > 0 && !baselines.is_empty();
            let _ = if is_known { write!(text, ",{:.1}", grade(elo)) } else { write!(text, ",") };
        }
        push_person(&mut text, team);
    }
    text
}

/// Ends a line with a team's name for people, and its address.
fn push_person(text: &mut String, team: &Team) {
    for field in [&team.display, &team.email] {
        let _ = write!(text, ",{}", text_field(field.as_deref().unwrap_or("")));
    }
    text.push_str("\r\n");
}

/// Returns a line for each version.
pub fn versions_table(course: &Course) -> String {
    let mut text = "team,version,state,received,since,stage,late,bytes,sha256,reasons\r\n".to_owned();
    for (name, team) in course.teams() {
        for version in &team.versions {
            let Version { number, at, since, is_late, bytes, sha256, .. } = version;
            let stage = csv_field(version.stage.as_deref().unwrap_or(""));
            let reasons = text_field(&version.reasons().join("; "));
            let (name, word) = (csv_field(name), team.word(version));
            let _ =
                write!(text, "{name},{number},{word},{at},{since},{stage},{is_late},{bytes},{sha256},{reasons}\r\n");
        }
    }
    text
}

/// Returns a line for each stage, and for each team that has more time for it.
pub(super) fn stages_table(course: &Course, settings: &CourseSettings) -> String {
    let mut text = "stage,team,deadline,grace_seconds\r\n".to_owned();
    for stage in &settings.stages {
        let own = course.teams().iter().map(|(name, team)| (name.as_str(), stage.deadline_of(&team.extensions)));
        let extended = own.filter(|(_, deadline)| *deadline > stage.deadline);
        for (team, deadline) in std::iter::once(("", stage.deadline)).chain(extended) {
            let _ = write!(text, "{},{},{deadline},{}\r\n", text_field(&stage.name), csv_field(team), stage.grace);
        }
    }
    text
}

/// Returns a line for each team: who it is, what plays, how much it may still hand in, and how much room it takes.
pub(super) fn teams_table(course: &Course, settings: &CourseSettings, folder: &Path) -> String {
    let mut text = "team,display,email,withdrawn,playing,versions,left_today,disk_kib\r\n".to_owned();
    for (name, team) in course.teams() {
        let disk = Usage::of(&folder.join(VERSIONS).join(name)).map_or(0, |usage| usage.bytes >> 10);
        let [name, display, email] =
            [Some(name), team.display.as_ref(), team.email.as_ref()].map(|it| text_field(it.map_or("", |it| it)));
        let playing = team.playing().map_or_else(String::new, |(number, _)| number.to_string());
        let left = team.left(settings.per_day, since_1970());
        let (withdrawn, versions) = (team.is_withdrawn, team.versions.len());
        let _ = write!(text, "{name},{display},{email},{withdrawn},{playing},{versions},{left},{disk}\r\n");
    }
    text
}

/// Returns a line for each two players that look like copies, and for each one of which not all was compared.
pub fn copies_table(works: &[Work], suspicions: &[Suspicion]) -> String {
    let mut text = "one,other,score,evidence\r\n".to_owned();
    for suspicion in suspicions {
        let [one, other] = suspicion.pair.map(|place| csv_field(&works[place].name));
        let evidence: Vec<String> =
            suspicion.evidence.iter().map(|it| it.to_string().replace("\n         ", "; ")).collect();
        let _ = write!(text, "{one},{other},{:.2},{}\r\n", suspicion.score, text_field(&evidence.join("; ")));
    }
    for work in works {
        let _ = work.omission().map(|line| write!(text, "{},,,{}\r\n", csv_field(&work.name), text_field(&line)));
    }
    text
}

/// Compares the newest version of each team, and the one that plays, with those of the others and of earlier years.
pub fn compared(store: &Store, earlier: &[PathBuf], known: &Given) -> anyhow::Result<(Vec<Work>, Vec<Suspicion>)> {
    let (mut works, mut places) = (Vec::new(), BTreeMap::new());
    for (name, team) in store.course().teams() {
        let playing = team.playing().map(|(number, _)| number);
        let numbers = BTreeSet::from_iter(team.versions.last().map(|newest| newest.number).into_iter().chain(playing));
        for number in numbers {
            let folder = store.version_folder(name, number);
            let mut work = Work::read(&format!("{name} version {number}"), name, &folder.join(UPLOAD))?;
            let player = folder.join(PLAYER);
            if work.library.is_empty() && player.exists() {
                work.library = fs::read(&player).with_context(|| format!("cannot read {}", player.display()))?;
            }
            places.extend(team.player(number).map(|player| ((name.as_str(), player.sha256.as_str()), works.len())));
            works.push(work);
        }
    }
    for folder in earlier {
        works.extend(Work::of_earlier_year(folder)?);
    }
    works.extend(known.bundled.iter().cloned());
    let same_moves = same_moves(&store.folder().join(LADDER), &places)?;
    let suspicions = find(&works, known, &same_moves);
    Ok((works, suspicions))
}

/// Finds players of a ladder that made the same moves more often than by chance, as places of their works.
fn same_moves(folder: &Path, places: &BTreeMap<(&str, &str), usize>) -> anyhow::Result<Vec<([usize; 2], u64, u64)>> {
    if !folder.join(JOURNAL).exists() {
        return Ok(Vec::new());
    }
    let ladder = read(folder)?;
    let joined = ladder.contenders().iter().map(|it| (it.joined.name.as_str(), it.joined.sha256.as_str()));
    let places: BTreeMap<_, _> =
        joined.enumerate().filter_map(|(id, player)| Some((id, *places.get(&player)?))).collect();
    let alike = alike(&ladder, &places.keys().copied().collect());
    Ok(alike.into_iter().map(|(two, same, of)| (two.map(|id| places[&id]), same, of)).collect())
}
