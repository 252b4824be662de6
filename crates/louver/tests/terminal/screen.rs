//! What a terminal shows: as much of a VT100 as a line editor needs.

/// Lines of characters and a cursor. Lines that leave at the top are remembered.
pub(crate) struct Screen {
    columns: usize,
    rows: usize,
    lines: Vec<Vec<char>>,
    /// Which line is the screen's first.
    top: usize,
    row: usize,
    column: usize,
    saved: (usize, usize),
    /// The last column is filled, and the next character goes to the next line.
    full: bool,
    state: State,
    /// Bytes of a character that is not whole yet.
    half: Vec<u8>,
}

enum State {
    Text,
    Escape,
    /// After `ESC [`, with what came so far.
    Control(String),
    /// After `ESC ]`, until its end.
    Title,
}

impl Screen {
    pub(crate) fn new(columns: usize, rows: usize) -> Screen {
        Screen {
            columns,
            rows,
            lines: vec![Vec::new()],
            top: 0,
            row: 0,
            column: 0,
            saved: (0, 0),
            full: false,
            state: State::Text,
            half: Vec::new(),
        }
    }

    /// Everything that is shown, without what is empty at the ends.
    pub(crate) fn text(&self) -> String {
        let lines: Vec<String> = self.lines.iter().map(|line| shown(line)).collect();
        lines.join("\n").trim_end().to_owned()
    }

    /// The line with the cursor.
    pub(crate) fn line(&self) -> String {
        self.lines.get(self.top + self.row).map(|line| shown(line)).unwrap_or_default()
    }

    /// Takes in what a program writes, and gives what a terminal answers.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> String {
        self.half.extend(bytes);
        let bytes = std::mem::take(&mut self.half);
        let whole = match std::str::from_utf8(&bytes) {
            Ok(_) => bytes.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(error) => panic!("it writes what is no text: {error}"),
        };
        self.half.extend(&bytes[whole..]);
        let text = String::from_utf8(bytes[..whole].to_vec()).unwrap();
        text.chars().filter_map(|c| self.character(c)).collect()
    }

    fn character(&mut self, c: char) -> Option<String> {
        match std::mem::replace(&mut self.state, State::Text) {
            State::Text => self.text_character(c),
            State::Escape => match c {
                '[' => self.state = State::Control(String::new()),
                ']' => self.state = State::Title,
                '7' => self.saved = (self.row, self.column),
                '8' => (self.row, self.column) = self.saved,
                _ => {}
            },
            State::Control(mut arguments) => match c {
                '\x40'..='\x7e' => return self.control(c, &arguments),
                _ => {
                    arguments.push(c);
                    self.state = State::Control(arguments);
                }
            },
            State::Title => match c {
                '\x07' => {}
                '\x1b' => self.state = State::Escape,
                _ => self.state = State::Title,
            },
        }
        None
    }

    fn text_character(&mut self, c: char) {
        match c {
            '\x1b' => self.state = State::Escape,
            '\r' => self.go(self.row, 0),
            '\n' => self.down(),
            '\x08' => self.go(self.row, self.column.saturating_sub(1)),
            '\t' => self.go(self.row, (self.column / 8 + 1) * 8),
            '\x07' => {}
            c => self.put(c),
        }
    }

    fn put(&mut self, c: char) {
        if self.full {
            self.go(self.row, 0);
            self.down();
        }
        let column = self.column;
        let line = self.here();
        if line.len() <= column {
            line.resize(column + 1, ' ');
        }
        line[column] = c;
        match column + 1 < self.columns {
            true => self.column += 1,
            false => self.full = true,
        }
    }

    /// A control sequence. A question is answered.
    fn control(&mut self, c: char, arguments: &str) -> Option<String> {
        let number = |i: usize| arguments.split(';').nth(i).and_then(|n| n.parse::<usize>().ok());
        let count = number(0).unwrap_or(1).max(1);
        let (row, column) = (self.row, self.column);
        match c {
            'A' => self.go(row.saturating_sub(count), column),
            'B' => self.go(row + count, column),
            'C' => self.go(row, column + count),
            'D' => self.go(row, column.saturating_sub(count)),
            'E' => self.go(row + count, 0),
            'F' => self.go(row.saturating_sub(count), 0),
            'G' => self.go(row, count - 1),
            'd' => self.go(count - 1, column),
            'H' | 'f' => self.go(count - 1, number(1).unwrap_or(1).max(1) - 1),
            'J' => self.erase(number(0).unwrap_or(0)),
            'K' => self.erase_line(number(0).unwrap_or(0)),
            'S' => (0..count).for_each(|_| self.top += 1),
            's' => self.saved = (row, column),
            'u' if arguments.is_empty() => (self.row, self.column) = self.saved,
            'n' if arguments == "6" => return Some(format!("\x1b[{};{}R", row + 1, column + 1)),
            // Colours and modes change nothing that is compared.
            _ => {}
        }
        None
    }

    fn go(&mut self, row: usize, column: usize) {
        self.row = row.min(self.rows - 1);
        self.column = column.min(self.columns - 1);
        self.full = false;
    }

    fn down(&mut self) {
        self.full = false;
        match self.row + 1 < self.rows {
            true => self.row += 1,
            false => self.top += 1,
        }
    }

    fn here(&mut self) -> &mut Vec<char> {
        let at = self.top + self.row;
        if self.lines.len() <= at {
            self.lines.resize(at + 1, Vec::new());
        }
        &mut self.lines[at]
    }

    fn erase(&mut self, what: usize) {
        let at = self.top + self.row;
        match what {
            0 => {
                self.erase_line(0);
                self.lines.truncate(at + 1);
            }
            _ => self.lines.truncate(self.top),
        }
    }

    fn erase_line(&mut self, what: usize) {
        let column = self.column;
        let line = self.here();
        match what {
            0 => line.truncate(column),
            1 => line.iter_mut().take(column + 1).for_each(|c| *c = ' '),
            _ => line.clear(),
        }
    }
}

fn shown(line: &[char]) -> String {
    line.iter().collect::<String>().trim_end().to_owned()
}
