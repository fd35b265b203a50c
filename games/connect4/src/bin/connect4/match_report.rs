use std::io::Write;

use amazons_program::Exit;
use connect4::matches::Results;
use serde::Serialize;
use serde_json::json;

use crate::matches::MatchArgs;

/// A level's results against all others.
#[derive(Serialize)]
struct Standing {
    level: String,
    elo: f64,
    elo_error: f64,
    points: f64,
    games: u64,
}

/// A level's results against another one.
#[derive(Serialize)]
struct Duel {
    players: [String; 2],
    won: u64,
    drawn: u64,
    lost: u64,
    elo: f64,
    /// Half the width of the 95 % interval, if it is known.
    elo_error: Option<f64>,
    los: f64,
    /// Pairs with 0, 1/2, 1, 3/2 and 2 points.
    pairs: Vec<u64>,
    #[serde(skip)]
    words: String,
}

impl Duel {
    fn new(args: &MatchArgs, results: &Results, first: usize, second: usize) -> Self {
        let (score, [lost, drawn, won]) = (results.score(first, second), results.games(first, second));
        let estimate = score.estimate();
        Self {
            players: [first, second].map(|level| args.levels[level].to_string()),
            won,
            drawn,
            lost,
            elo: estimate.elo.points(),
            elo_error: Some(estimate.error.points()).filter(|_| !estimate.error.is_beyond()),
            los: estimate.los,
            pairs: score.counts().to_vec(),
            words: format!("{estimate:.0}"),
        }
    }

    fn pairs(&self, gap: &str) -> String {
        self.pairs.iter().map(u64::to_string).collect::<Vec<_>>().join(gap)
    }
}

pub(crate) fn write_report(args: &MatchArgs, results: &Results, out: &mut impl Write) -> Result<(), Exit> {
    let number = args.levels.len();
    let pairs = (0..number).flat_map(|first| (first + 1..number).map(move |second| (first, second)));
    let duels: Vec<Duel> = pairs.map(|(first, second)| Duel::new(args, results, first, second)).collect();
    let ratings = results.ratings();
    let standing = |level: usize| {
        let (points, games) = results.points(level);
        let (elo, elo_error) = (ratings.points(level), ratings.error(level));
        Standing { level: args.levels[level].to_string(), elo, elo_error, points, games }
    };
    let mut levels: Vec<Standing> = (0..number).map(standing).collect();
    levels.sort_by(|one, two| two.elo.total_cmp(&one.elo));
    if args.csv {
        writeln!(
            out,
            "first,second,won,drawn,lost,elo,elo_error,los,pairs_0,pairs_half,pairs_1,pairs_3_halves,pairs_2"
        )?;
        for duel in duels {
            let Duel { won, drawn, lost, elo, elo_error, los, .. } = &duel;
            let error = elo_error.map_or_else(String::new, |error| format!("{error:.1}"));
            let (players, pairs) = (duel.players.join(","), duel.pairs(","));
            writeln!(out, "{players},{won},{drawn},{lost},{elo:.1},{error},{los:.4},{pairs}")?;
        }
    } else if args.json {
        let line = json!({
            "event": "results",
            "size": args.size.to_string(),
            "openings": args.openings,
            "seed": args.seed,
            "levels": levels,
            "duels": duels,
            "promised": results.promised,
            "kept": results.kept,
        });
        writeln!(out, "{line}")?;
    } else {
        let (size, openings, seed) = (args.size, args.openings, args.seed);
        let board = format!("board {size}, openings of {openings} random plies, seed {seed}");
        writeln!(out, "{board}, colours reversed; Elo with 95 % bars")?;
        text(&levels, &duels, out)?;
        let (promised, kept) = (results.promised, results.kept);
        if promised > 0 {
            writeln!(out, "perfect had a win or a draw in {promised} games and kept it in {kept}")?;
        }
    }
    Ok(())
}

fn text(levels: &[Standing], duels: &[Duel], out: &mut impl Write) -> Result<(), Exit> {
    if levels.len() > 2 {
        writeln!(out, "\n{:<16} {:>7} {:>6} {:>9} {:>6}", "level", "Elo", "+-", "points", "games")?;
        for Standing { level, elo, elo_error, points, games } in levels {
            writeln!(out, "{level:<16} {elo:>+7.0} {elo_error:>6.0} {points:>9.1} {games:>6}")?;
        }
        writeln!(out)?;
    }
    for duel in duels {
        let Duel { won, drawn, lost, words, .. } = duel;
        writeln!(out, "{}: {words} Elo", duel.players.join(" against "))?;
        let los = 100.0 * duel.los;
        writeln!(out, "  won {won}, drawn {drawn}, lost {lost}; likelihood of superiority {los:.1} %")?;
        writeln!(out, "  pairs with 0, 1/2, 1, 3/2, 2 points: {}", duel.pairs(" "))?;
    }
    Ok(())
}
