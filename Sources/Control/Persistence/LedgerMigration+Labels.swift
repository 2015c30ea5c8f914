extension LedgerMigration {
    /// What a user calls devices and rooms. A device has a row also where the ledger does not know it: it may be
    /// named before it is described.
    static let labels = LedgerMigration(
        name: "names and rooms",
        sql: """
            CREATE TABLE room (
                number INTEGER PRIMARY KEY,
                home TEXT NOT NULL CHECK (length(home) > 0),
                name TEXT NOT NULL CHECK (length(name) > 0),
                UNIQUE (home, name)
            ) STRICT;

            CREATE TABLE label (
                home TEXT NOT NULL CHECK (length(home) > 0),
                device TEXT NOT NULL CHECK (length(device) > 0),
                name TEXT CHECK (length(name) > 0),
                room TEXT,
                PRIMARY KEY (home, device),
                FOREIGN KEY (home, room) REFERENCES room (home, name)
            ) STRICT, WITHOUT ROWID;
            """)
}
