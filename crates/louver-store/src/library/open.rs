//! The database: making it, checking that it is ours, and starting over when it is not.
//!
//! Everything in it can be made again, so whatever does not fit (another version, another way to
//! read notes, a damaged file) is emptied in place. It is not moved away and replaced by another
//! file: a process that has the old one open would delete the new one's log when it closes.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use rustix::fs::FlockOperation;

use super::error::LibraryError;
use super::forgotten::{self, Forgotten, Marks};
use crate::append::open_plain;

/// "LvRc", so that `file` and SQLite's own tools can tell what it is.
const APPLICATION: i32 = 0x4C76_5263;
/// Rises with every change to the tables or to what is in them.
const VERSION: i32 = 20;

/// Writers wait so long for each other.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// The log beside the database, as people find it in the workspace.
pub(super) const LOG: &str = ".louver/recall.db-wal";

const TABLES: &str = "
CREATE TABLE facts (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    analysis INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    logged INTEGER NOT NULL,
    next_place INTEGER NOT NULL,
    next_word INTEGER NOT NULL,
    notes INTEGER NOT NULL,
    length INTEGER NOT NULL,
    list INTEGER NOT NULL
);
CREATE TABLE log (number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, value INTEGER NOT NULL);
CREATE TABLE languages (code TEXT PRIMARY KEY, notes INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    stamp TEXT,
    scope TEXT NOT NULL,
    given INTEGER NOT NULL,
    last INTEGER,
    talk INTEGER NOT NULL,
    position INTEGER NOT NULL,
    said INTEGER
);
CREATE TABLE people (
    -- Never used twice: others remember whose it is.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    notes INTEGER NOT NULL
);
CREATE TABLE notes (place INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE columns (block INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE texts (first INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE words (term TEXT PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE heads (word INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE postings (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE senses (place INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE sensing (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    model TEXT NOT NULL,
    dims INTEGER NOT NULL,
    upto INTEGER NOT NULL
);
";

/// The files of a library.
#[derive(Debug, Clone)]
pub(super) struct Files {
    pub(super) database: PathBuf,
    /// A damaged database, for whoever wants to know what happened.
    pub(super) aside: PathBuf,
    pub(super) lock: PathBuf,
    pub(super) forgotten: PathBuf,
}

impl Files {
    pub(super) fn of(workspace: &Path) -> Files {
        let file = |name: &str| workspace.join(".louver").join(name);
        Files {
            database: file("recall.db"),
            aside: file("recall.db.damaged"),
            lock: file("recall.lock"),
            forgotten: file("forgotten.json"),
        }
    }

    /// The workspace that they are of.
    pub(super) fn workspace(&self) -> PathBuf {
        self.forgotten.ancestors().nth(2).map_or_else(PathBuf::new, Path::to_owned)
    }

    /// What the notes are known by that are to be forgotten.
    pub(super) fn marks(&self) -> Result<Marks, LibraryError> {
        forgotten::marks(&self.forgotten).map_err(|source| self.list_failed(source))
    }

    /// The list of what is to be forgotten.
    pub(super) fn forgotten(&self) -> Result<Vec<Forgotten>, LibraryError> {
        forgotten::read(&self.forgotten).map_err(|source| self.list_failed(source))
    }

    /// Changes that list. The lock must be held.
    pub(super) fn change_forgotten(
        &self,
        change: impl FnOnce(&mut Vec<Forgotten>),
    ) -> Result<(), LibraryError> {
        forgotten::change(&self.forgotten, change).map_err(|source| self.list_failed(source))
    }

    fn list_failed(&self, source: io::Error) -> LibraryError {
        LibraryError::Io { path: self.forgotten.clone(), source }
    }

    /// Held by the one that opens, empties or forgets. It goes when the file is closed.
    pub(super) fn lock(&self) -> Result<File, LibraryError> {
        let options = &mut OpenOptions::new();
        let failed = |source| LibraryError::Io { path: self.lock.clone(), source };
        let file =
            open_plain(options.read(true).write(true).create(true).truncate(false), &self.lock)
                .map_err(failed)?;
        rustix::fs::flock(&file, FlockOperation::LockExclusive)
            .map_err(|error| failed(error.into()))?;
        Ok(file)
    }
}

/// A database, which is ours and of this version.
pub(super) struct Opened {
    pub(super) db: Connection,
    /// Why it is in memory, where it cannot be kept.
    pub(super) unkept: Option<LibraryError>,
}

/// Opens the database. Where nothing can be written (a workspace of somebody else, a disk that is full), there is
/// one in memory in its place: notes are read again each time, and found all the same.
pub(super) fn open(files: &Files, analysis: i64) -> Result<Opened, LibraryError> {
    match kept(files, analysis) {
        Ok(db) => Ok(Opened { db, unkept: None }),
        Err(error) if error.is_refused() => {
            let db = Connection::open_in_memory()?;
            ready(&db)?;
            make(&db, analysis)?;
            Ok(Opened { db, unkept: Some(error) })
        }
        Err(error) => Err(error),
    }
}

/// The database on the disk.
pub(super) fn kept(files: &Files, analysis: i64) -> Result<Connection, LibraryError> {
    let folder = files.database.parent().unwrap_or(Path::new("."));
    let refused = |source| LibraryError::Io { path: folder.to_owned(), source };
    DirBuilder::new().mode(0o700).recursive(true).create(folder).map_err(refused)?;
    let _lock = files.lock()?;
    match connect(files, analysis) {
        Err(error) if error.is_damage() => start_over(files, analysis),
        other => other,
    }
}

fn connect(files: &Files, analysis: i64) -> Result<Connection, LibraryError> {
    let db = plain(files)?;
    let number =
        |pragma: &str| db.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i32>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    let tables: u32 = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 {
        make(&db, analysis)?;
    } else if (application, version) != (APPLICATION, VERSION) || self::analysis(&db)? != analysis {
        empty(&db)?;
        make(&db, analysis)?;
    }
    Ok(db)
}

/// Whether it is whole, but another version of this program has made it its own.
pub(super) fn is_of_other_version(db: &Connection) -> bool {
    let number = |pragma: &str| db.query_row(pragma, [], |row| row.get::<_, i32>(0));
    number("PRAGMA application_id").is_ok_and(|id| id == APPLICATION)
        && number("PRAGMA user_version").is_ok_and(|version| version != VERSION)
}

fn plain(files: &Files) -> Result<Connection, LibraryError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let refused = |source| LibraryError::Io { path: files.database.clone(), source };
    let path =
        fs::canonicalize(files.database.parent().unwrap_or(Path::new("."))).map_err(refused)?;
    // Notes are nobody else's: the file is made here, for its owner alone, and SQLite keeps to that.
    let options = &mut OpenOptions::new();
    open_plain(options.read(true).write(true).create(true).truncate(false), &files.database)
        .map_err(refused)?;
    let db = Connection::open_with_flags(path.join("recall.db"), flags)?;
    ready(&db)?;
    Ok(db)
}

fn ready(db: &Connection) -> Result<(), LibraryError> {
    db.busy_timeout(PATIENCE)?;
    db.set_prepared_statement_cache_capacity(64);
    // Else SQLite plans a query anew whenever it is asked with another number.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    settle(db)
}

/// A crash of the process loses nothing; one of the machine may lose the last moments, which are
/// indexed again. What is deleted is overwritten. The file is not mapped into memory: questions would
/// take a tenth less, but a disk that fails would end the process.
fn settle(db: &Connection) -> Result<(), LibraryError> {
    db.execute_batch(
        "PRAGMA page_size = 8192;
         PRAGMA journal_mode = WAL;
         PRAGMA synchronous = NORMAL;
         PRAGMA secure_delete = ON;
         PRAGMA temp_store = MEMORY;
         PRAGMA cache_size = -32768;
         PRAGMA wal_autocheckpoint = 2000;
         PRAGMA journal_size_limit = 67108864;",
    )?;
    Ok(())
}

fn make(db: &Connection, analysis: i64) -> Result<(), LibraryError> {
    let ours = format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};");
    // An epoch that no earlier database had, for processes that remember something of one.
    let epoch = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos() as i64);
    let facts = format!("INSERT INTO facts VALUES (1, {analysis}, {epoch}, 0, 0, 1, 1, 0, 0, 0);");
    db.execute_batch(&["BEGIN IMMEDIATE;", TABLES, &ours, &facts, "COMMIT;"].concat())?;
    Ok(())
}

fn empty(db: &Connection) -> Result<(), LibraryError> {
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, true)?;
    let emptied = db.execute_batch("VACUUM");
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, false)?;
    emptied?;
    settle(db)
}

/// Sets a damaged database aside and makes an empty one. The lock must be held.
pub(super) fn start_over(files: &Files, analysis: i64) -> Result<Connection, LibraryError> {
    // Only for whoever wants to know; an index that cannot be copied is emptied all the same.
    let _ = fs::copy(&files.database, &files.aside);
    let in_place = || -> Result<Connection, LibraryError> {
        let db = plain(files)?;
        empty(&db)?;
        make(&db, analysis)?;
        Ok(db)
    };
    in_place().or_else(|_| {
        // Not even its first page can be read, so nobody else has it open either.
        for end in ["", "-wal", "-shm"] {
            let mut path = files.database.clone().into_os_string();
            path.push(end);
            match fs::remove_file(&path) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(LibraryError::Io { path: path.into(), source });
                }
                _ => (),
            }
        }
        let db = plain(files)?;
        make(&db, analysis)?;
        Ok(db)
    })
}

/// The way of reading notes that a database was made with.
pub(super) fn analysis(db: &Connection) -> Result<i64, LibraryError> {
    Ok(db.query_row("SELECT analysis FROM facts", [], |row| row.get(0))?)
}
