//! The database: its tables, and starting over when it is not ours or damaged.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _};

use super::LibraryError;

/// Where it is, in the workspace.
const PATH: &str = ".louver/recall.db";

/// Rises with every change to the tables, or to how notes are read.
const VERSION: i64 = 2;

/// Writers wait so long for each other.
const PATIENCE: Duration = Duration::from_secs(30);

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS sources (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, stamp TEXT NOT NULL, scope TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS notes (
    id INTEGER PRIMARY KEY, place TEXT NOT NULL UNIQUE, handle TEXT NOT NULL,
    source INTEGER NOT NULL, pos INTEGER NOT NULL,
    hash INTEGER NOT NULL, text TEXT NOT NULL, who TEXT NOT NULL, voice INTEGER NOT NULL, time TEXT,
    trust INTEGER NOT NULL, language INTEGER NOT NULL, length INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS by_source ON notes (source, pos);
CREATE INDEX IF NOT EXISTS by_handle ON notes (handle);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(terms, content='', contentless_delete=1, detail='none');
CREATE VIRTUAL TABLE IF NOT EXISTS vocabulary USING fts5vocab(words, 'row');
CREATE TABLE IF NOT EXISTS sketches (id INTEGER PRIMARY KEY, sketch BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS forgotten (hash INTEGER PRIMARY KEY, place TEXT NOT NULL, at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
";

/// What is emptied when notes are read in another way than before. What was forgotten stays so.
const EMPTY: &str = "
DROP TABLE IF EXISTS sources; DROP TABLE IF EXISTS notes; DROP TABLE IF EXISTS vocabulary;
DROP TABLE IF EXISTS words; DROP TABLE IF EXISTS sketches; DELETE FROM facts;
";

/// Opens the database. One that is damaged is moved aside, and an empty one takes its place.
pub(super) fn open(workspace: &Path) -> Result<Connection, LibraryError> {
    let path = workspace.join(PATH);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    match ready(&path) {
        Err(LibraryError::Sqlite(error)) if is_damage(&error) => {
            set_aside(&path)?;
            ready(&path)
        }
        opened => opened,
    }
}

fn ready(path: &Path) -> Result<Connection, LibraryError> {
    let db = Connection::open(path)?;
    db.busy_timeout(PATIENCE)?;
    db.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; \
         PRAGMA temp_store = MEMORY;",
    )?;
    db.execute_batch("BEGIN IMMEDIATE")?;
    let made = make(&db);
    db.execute_batch(if made.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    made?;
    Ok(db)
}

fn make(db: &Connection) -> Result<(), LibraryError> {
    db.execute_batch(TABLES)?;
    let known: Option<i64> = db
        .query_row("SELECT value FROM facts WHERE name = 'version'", [], |row| row.get(0))
        .optional()?;
    if known != Some(VERSION) {
        db.execute_batch(EMPTY)?;
        db.execute_batch(TABLES)?;
        db.execute("INSERT INTO facts VALUES ('version', ?1)", [VERSION])?;
    }
    Ok(())
}

fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    error.sqlite_error_code().is_some_and(|code| matches!(code, DatabaseCorrupt | NotADatabase))
}

/// Moves a damaged database out of the way. It is derived; somebody may still want to look at it.
fn set_aside(path: &Path) -> std::io::Result<()> {
    for ending in ["-wal", "-shm"] {
        let mut beside = path.as_os_str().to_owned();
        beside.push(ending);
        let _ = std::fs::remove_file(beside);
    }
    std::fs::rename(path, path.with_extension("db.damaged"))
}
