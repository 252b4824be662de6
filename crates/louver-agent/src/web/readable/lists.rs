//! The lists that are open, and what stands before their items.

/// Items stand no deeper than this.
const DEEPEST: usize = 8;

/// Lists inside of lists.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The next number of those that count.
    open: Vec<Option<u32>>,
    /// Lists that are open beyond those.
    deeper: u32,
}

impl Lists {
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Opens a list, which counts from a number if it has one.
    pub(super) fn open(&mut self, number: Option<u32>) {
        if self.open.len() < DEEPEST {
            self.open.push(number);
        } else {
            self.deeper += 1;
        }
    }

    /// Closes the innermost one.
    pub(super) fn close(&mut self) {
        if self.deeper > 0 {
            self.deeper -= 1;
        } else {
            self.open.pop();
        }
    }

    /// What stands before the next item.
    pub(super) fn next_marker(&mut self) -> String {
        match self.open.last_mut() {
            Some(Some(number)) => {
                let marker = format!("{number}. ");
                *number = number.saturating_add(1);
                marker
            }
            _ => "- ".into(),
        }
    }

    /// What stands before the marker.
    pub(super) fn indent(&self) -> String {
        "  ".repeat(self.open.len().saturating_sub(1))
    }
}
