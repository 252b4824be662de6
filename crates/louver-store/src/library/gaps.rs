//! Closing the gaps that notes leave which are gone.
//!
//! A note that changes gets a new place, and its old one stays empty: every process remembers notes by their
//! places. A gap costs some 85 bytes of memory in each of them, and a look with every question. When there are more gaps
//! than notes, all notes move down in their order, in one transaction, and whoever remembers some begins anew.

use rusqlite::{Connection, TransactionBehavior};

use super::columns::Columns;
use super::facts::Facts;
use super::{Library, LibraryError, columns, postings, rows, senses, texts};

/// Fewer gaps are not worth it: they are some 5 MB.
const WORTH: u32 = 65_536;

impl Library {
    /// Closes the gaps, if there are many.
    pub(super) fn close_gaps(&mut self) -> Result<(), LibraryError> {
        self.close_gaps_from(WORTH)
    }

    /// The same from so many gaps on.
    pub(super) fn close_gaps_from(&mut self, worth: u32) -> Result<(), LibraryError> {
        self.checked(|library| {
            // Looked at without a lock, since it is hardly ever so.
            if !is_worth_it(&Facts::read(&library.db)?, worth) {
                return Ok(());
            }
            let db = library.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let facts = Facts::read(&db)?;
            library.known.refresh(&db, facts, library.analysis)?;
            if !is_worth_it(&facts, worth) {
                return Ok(());
            }
            library.known.columns.load(&db, facts.next_place)?;
            move_down(&db, facts, &library.known.columns)?;
            // What is remembered of places goes with the next look: this is another epoch.
            Ok(db.commit()?)
        })
    }
}

fn is_worth_it(facts: &Facts, worth: u32) -> bool {
    let gaps = facts.next_place.saturating_sub(1).saturating_sub(facts.notes);
    gaps >= worth && gaps > facts.notes
}

/// Moves all notes to the first places there are.
fn move_down(db: &Connection, mut facts: Facts, cells: &Columns) -> Result<(), LibraryError> {
    let mut found = db.prepare("SELECT place FROM notes ORDER BY place")?;
    let there: Vec<u32> = found.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    // Places begin with one, and none is above the one it was.
    let new = |place: u32| there.binary_search(&place).ok().map(|at| at as u32 + 1);
    for (place, to) in there.iter().zip(1..) {
        rows::move_to(db, *place, to, new)?;
        senses::move_to(db, *place, to)?;
    }
    columns::rewrite(db, cells, &there)?;
    texts::rewrite(db, &there)?;
    postings::renumber(db, new)?;
    rows::move_ends(db, new)?;
    senses::move_progress(db, |upto| there.partition_point(|place| *place <= upto) as u32)?;
    db.execute("DELETE FROM log", [])?;
    facts.next_place = there.len() as u32 + 1;
    facts.epoch += 1;
    facts.changes += 1;
    facts.save(db)
}
