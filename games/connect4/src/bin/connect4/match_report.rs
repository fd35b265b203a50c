use std::io::Write;

use amazons_program::Exit;
use amazons_statistics::Estimate;
use connect4::matches::Results;
use serde_json::json;

use crate::match_args::MatchArgs;

pub(crate) fn write_report(args: &MatchArgs, results: &Results, out: &mut impl Write) -> Result<(), Exit> {
    match (args.csv, args.json) {
        (true, _) => csv(args, results, out),
        (_, true) => json(args, results, out),
        _ => text(args, results, out),
    }
}

/// Yields every two levels once.
fn duels(args: &MatchArgs) -> impl Iterator<Item = [usize; 2]> {
    let levels = args.levels.len();
    (0..levels).flat_map(move |first| (first + 1..levels).map(move |second| [first, second]))
}

/// Returns the levels by rating, the strongest first.
fn ranking(args: &MatchArgs, results: &Results) -> Vec<usize> {
    let ratings = results.ratings();
    let mut order: Vec<usize> = (0..args.levels.len()).collect();
    order.sort_by(|&a, &b| ratings.points(b).total_cmp(&ratings.points(a)));
    order
}

fn text(args: &MatchArgs, results: &Results, out: &mut impl Write) -> Result<(), Exit> {
    writeln!(
        out,
        "board {}, openings of {} random plies, seed {}, colours reversed; Elo with 95 % bars",
        args.size, args.openings, args.seed
    )?;
    if args.levels.len() > 2 {
        let ratings = results.ratings();
        writeln!(out, "\n{:<16} {:>7} {:>6} {:>9} {:>6}", "level", "Elo", "+-", "points", "games")?;
        for level in ranking(args, results) {
            let (points, games) = results.points(level);
            let name = args.levels[level].to_string();
            let (elo, error) = (ratings.points(level), ratings.error(level));
            writeln!(out, "{name:<16} {elo:>+7.0} {error:>6.0} {points:>9.1} {games:>6}")?;
        }
        writeln!(out)?;
    }
    for [first, second] in duels(args) {
        let score = results.score(first, second);
        let estimate = score.estimate();
        let [lost, drawn, won] = results.games(first, second);
        writeln!(out, "{} against {}: {estimate:.0} Elo", args.levels[first], args.levels[second])?;
        writeln!(
            out,
            "  won {won}, drawn {drawn}, lost {lost}; likelihood of superiority {:.1} %",
            100.0 * estimate.los
        )?;
        let pairs: Vec<String> = score.counts().iter().map(u64::to_string).collect();
        writeln!(out, "  pairs with 0, 1/2, 1, 3/2, 2 points: {}", pairs.join(" "))?;
    }
    if results.promised > 0 {
        let (promised, kept) = (results.promised, results.kept);
        writeln!(out, "perfect had a win or a draw in {promised} games and kept it in {kept}")?;
    }
    Ok(())
}

/// Returns half the width of the 95 % interval, if it is known.
fn bar(estimate: Estimate) -> Option<f64> {
    Some(estimate.error.points()).filter(|_| !estimate.error.is_beyond())
}

fn csv(args: &MatchArgs, results: &Results, out: &mut impl Write) -> Result<(), Exit> {
    writeln!(out, "first,second,won,drawn,lost,elo,elo_error,los,pairs_0,pairs_half,pairs_1,pairs_3_halves,pairs_2")?;
    for [first, second] in duels(args) {
        let score = results.score(first, second);
        let estimate = score.estimate();
        let [lost, drawn, won] = results.games(first, second);
        let pairs: Vec<String> = score.counts().iter().map(u64::to_string).collect();
        let error = bar(estimate);
        writeln!(
            out,
            "{},{},{won},{drawn},{lost},{:.1},{},{:.4},{}",
            args.levels[first],
            args.levels[second],
            estimate.elo.points(),
            error.map_or_else(String::new, |error| format!("{error:.1}")),
            estimate.los,
            pairs.join(",")
        )?;
    }
    Ok(())
}

fn json(args: &MatchArgs, results: &Results, out: &mut impl Write) -> Result<(), Exit> {
    let ratings = results.ratings();
    let levels = ranking(args, results).into_iter().map(|level| {
        let (points, games) = results.points(level);
        json!({
            "level": args.levels[level].to_string(),
            "elo": ratings.points(level),
            "elo_error": ratings.error(level),
            "points": points,
            "games": games,
        })
    });
    let duels = duels(args).map(|[first, second]| {
        let score = results.score(first, second);
        let estimate = score.estimate();
        let [lost, drawn, won] = results.games(first, second);
        json!({
            "players": [args.levels[first].to_string(), args.levels[second].to_string()],
            "won": won,
            "drawn": drawn,
            "lost": lost,
            "elo": estimate.elo.points(),
            "elo_error": bar(estimate),
            "los": estimate.los,
            "pairs": score.counts(),
        })
    });
    let line = json!({
        "event": "results",
        "size": args.size.to_string(),
        "openings": args.openings,
        "seed": args.seed,
        "levels": levels.collect::<Vec<_>>(),
        "duels": duels.collect::<Vec<_>>(),
        "promised": results.promised,
        "kept": results.kept,
    });
    writeln!(out, "{line}")?;
    Ok(())
}
