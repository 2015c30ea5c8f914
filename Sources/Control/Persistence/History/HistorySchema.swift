internal import GRDB

/// The tables of a history.
enum HistorySchema {
    /// Marks a SQLite file as a history: "HPHI" in ASCII, in the header of the file.
    static let applicationID = 0x4850_4849
    /// The version in the header of the file.
    static let version = 1

    /// Makes the tables, in a transaction of the caller.
    ///
    /// A sample is written on its own, so that a batch touches few pages; some minutes later it goes into the
    /// blocks of its device.
    static func make(in db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE device (
                    id INTEGER PRIMARY KEY,
                    home TEXT NOT NULL,
                    device TEXT NOT NULL,
                    UNIQUE (home, device)
                ) STRICT;
                -- What came since the last upkeep; body is a block of one sample.
                CREATE TABLE sample (
                    device INTEGER NOT NULL REFERENCES device (id),
                    at INTEGER NOT NULL,
                    boot TEXT NOT NULL,
                    n INTEGER NOT NULL,
                    body BLOB NOT NULL,
                    PRIMARY KEY (device, at, boot, n)
                ) STRICT, WITHOUT ROWID;
                -- Samples of an hour (tier 0), means of five minutes of a day (1), means of hours of 16 days (2).
                -- first and last: the stamps of the first and the last sample in it. whole: 0 where a part of it is in
                -- a coarser block only, because it was made for samples that came late.
                CREATE TABLE block (
                    tier INTEGER NOT NULL CHECK (tier BETWEEN 0 AND 2),
                    device INTEGER NOT NULL REFERENCES device (id),
                    start INTEGER NOT NULL,
                    first INTEGER NOT NULL,
                    last INTEGER NOT NULL,
                    whole INTEGER NOT NULL CHECK (whole IN (0, 1)),
                    body BLOB NOT NULL,
                    PRIMARY KEY (tier, device, start)
                ) STRICT;
                CREATE TABLE fact (
                    device INTEGER NOT NULL REFERENCES device (id),
                    kind TEXT NOT NULL,
                    at INTEGER NOT NULL,
                    name TEXT NOT NULL,
                    id TEXT NOT NULL,
                    detail TEXT NOT NULL,
                    PRIMARY KEY (device, kind, at, name, id)
                ) STRICT, WITHOUT ROWID;
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(version);
                """)
    }
}
