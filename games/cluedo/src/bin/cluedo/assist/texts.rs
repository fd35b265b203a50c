//! Fixed texts of the helper.

pub(super) const WELCOME: &str = "Type what happens at your table; help lists what you can type. First say who plays, \
in order, with\nyourself as me: players me Anna Ben Carl";

pub(super) const HELP: &str = "\
Before the game:
  players me Anna Ben Carl       who plays, in the order of turns; without me you only watch; again to correct it
  players me, Mary Ann, Tom      with commas, names may have blanks
  hands 5 5 4 4                  how many cards each holds, if they are not dealt one by one from the first player on
  public hall                    cards that lie open for all
  me plum rope kitchen study     your hand
What happens, in any order:
  anna suggests plum rope hall; ben passes; carl shows
  me suggests plum rope hall; ben shows me rope        (or: nobody shows)
  ben accuses plum rope hall     an accusation that was wrong
  carl has rope, carl lacks rope what you know otherwise
  nobody has rope, solution has rope, solution lacks rope
  change 3 ben suggests ..., delete 3, list
  undo                           take back the last entry or change; new: another game
What follows:
  notes                          every card and player: yes, -, or the chance in percent
  why                            all that had to be concluded, and from which entries
  why carl rope, why carl not rope, why solution hall
  ask, ask hall                  the suggestion that tells most; with the room that you are in
  chances, chances rope          the likeliest solutions; where a card may be
  save game.txt, open game.txt, quit
Cards go by the beginnings of words of their names, English or French, or by their numbers; cards lists them.";
