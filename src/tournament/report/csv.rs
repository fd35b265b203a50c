use std::fmt::Write;

use amazons_program::csv_field;

use crate::tournament::standings::{Standings, endings};

/// Returns the table of players as comma-separated values (RFC 4180), without anything that depends on time.
pub fn csv(standings: &Standings) -> String {
    let names = endings(&standings.players);
    let mut text = "rank,player,elo,error,points,games,won,lost,byes,at_fault".to_owned();
    for name in &names {
        let _ = write!(text, ",{name}_won,{name}_lost,{name}_nobody");
    }
    for row in &standings.players {
        let _ = write!(text, ",stronger_than_{}", row.name);
    }
    text.push_str(",sha256,file\r\n");
    for (row, los) in standings.players.iter().zip(&standings.los) {
        let name = csv_field(&row.name);
        let rank = row.rank.unwrap_or(0);
        let _ = write!(text, "{rank},{name},{},{},{},{}", row.elo, row.error, row.points, row.games);
        let _ = write!(text, ",{},{},{},{}", row.won, row.lost, row.byes, row.at_fault);
        for name in &names {
            let ending = row.endings.get(name).copied().unwrap_or_default();
            let _ = write!(text, ",{},{},{}", ending.won, ending.lost, ending.nobody);
        }
        for chance in los {
            let _ = write!(text, ",{}", chance.map_or_else(String::new, |chance| chance.to_string()));
        }
        let _ = write!(
            text,
            ",{},{}\r\n",
            row.sha256.as_deref().unwrap_or(""),
            csv_field(row.file.as_deref().unwrap_or(""))
        );
    }
    text
}
