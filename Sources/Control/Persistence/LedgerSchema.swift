internal import GRDB

/// A named step of the schema. It is never edited once it was released.
struct LedgerMigration {
    let name: String
    let sql: String
    /// What SQL alone cannot do, behind it.
    var completion: @Sendable (Database) throws -> Void = { _ in }
}

/// The tables of the ledger.
enum LedgerSchema {
    /// Marks a SQLite file as a ledger: "HPLG" in ASCII, in the header of the file.
    static let applicationID = 0x4850_4C47

    /// Bytes of a page of a new ledger; SQLite allows powers of two from 512 on.
    static let pageSize = 2_048

    /// The number of migrations is the version in the header of the file.
    static let migrations = [
        LedgerMigration(name: "commands", sql: commands),
        LedgerMigration(name: "devices", sql: devices),
        LedgerMigration(name: "events", sql: events),
        LedgerMigration(name: "open commands by device", sql: openByDevice),
        LedgerMigration(name: "chain of hashes", sql: audit, completion: linkEvents),
        LedgerMigration(name: "schedules", sql: schedules),
        LedgerMigration(name: "kept settings", sql: keptSettings),
        LedgerMigration(name: "provisioning", sql: provisioning),
        LedgerMigration(name: "when devices were heard", sql: heard),
        LedgerMigration(name: "closed commands", sql: closed),
        LedgerMigration(name: "brokers of commands", sql: places),
        .commissioning,
        .labels,
        LedgerMigration(name: "paused schedules", sql: pausedSchedules),
        .rules,
    ]

    private static let commands = """
        CREATE TABLE process (
            id INTEGER PRIMARY KEY,
            lease TEXT NOT NULL UNIQUE CHECK (length(lease) > 0),
            startedAt INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE command (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            owner INTEGER NOT NULL REFERENCES process (id),
            purpose TEXT NOT NULL CHECK (purpose IN ('request', 'inquiry')),
            controller TEXT NOT NULL CHECK (length(controller) > 0),
            home TEXT NOT NULL CHECK (length(home) > 0),
            device TEXT NOT NULL CHECK (length(device) > 0),
            name TEXT NOT NULL,
            arguments BLOB NOT NULL,
            lane TEXT NOT NULL CHECK (lane IN ('normal', 'urgent')),
            sort TEXT NOT NULL CHECK (sort IN ('setting', 'action', 'instant')),
            offline TEXT NOT NULL
                CHECK (offline IN ('fail-fast', 'expire', 'latest', 'barrier', 'desired')),
            offlineMilliseconds INTEGER,
            issuedAt INTEGER NOT NULL,
            expiresAt INTEGER NOT NULL CHECK (expiresAt >= issuedAt),
            sequence INTEGER NOT NULL CHECK (sequence >= 1),
            ifRevision INTEGER,
            cause TEXT,
            isDryRun INTEGER NOT NULL CHECK (isDryRun IN (0, 1)),
            payload BLOB NOT NULL,
            step INTEGER NOT NULL CHECK (step >= 1),
            state TEXT NOT NULL CHECK (state IN (
                'queued', 'sending', 'sent', 'accepted', 'running', 'succeeded', 'failed',
                'rejected', 'cancelled', 'superseded', 'refused', 'expired', 'unknown')),
            code TEXT,
            message TEXT NOT NULL,
            percent REAL,
            result BLOB NOT NULL,
            revision INTEGER,
            boot TEXT,
            lastAck INTEGER NOT NULL CHECK (lastAck >= 0),
            sends INTEGER NOT NULL CHECK (sends >= 0),
            mayHaveLeft INTEGER NOT NULL CHECK (mayHaveLeft IN (0, 1)),
            sentAt INTEGER,
            acceptedAt INTEGER,
            finalAt INTEGER,
            UNIQUE (controller, home, device, sequence),
            CHECK ((offline = 'expire') = (offlineMilliseconds IS NOT NULL))
        ) STRICT;

        CREATE INDEX openCommand ON command (controller, home)
            WHERE state IN ('queued', 'sending', 'sent', 'accepted', 'running');

        CREATE TABLE transition (
            command INTEGER NOT NULL REFERENCES command (number),
            step INTEGER NOT NULL CHECK (step >= 0),
            state TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (command, step)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE ack (
            command INTEGER NOT NULL REFERENCES command (number),
            n INTEGER NOT NULL CHECK (n >= 0),
            stage TEXT NOT NULL,
            receivedAt INTEGER NOT NULL,
            payload BLOB NOT NULL,
            PRIMARY KEY (command, n, stage)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE anomaly (
            number INTEGER PRIMARY KEY,
            kind TEXT NOT NULL CHECK (length(kind) > 0),
            command BLOB NOT NULL CHECK (length(command) = 16),
            device TEXT NOT NULL,
            at INTEGER NOT NULL,
            ack BLOB
        ) STRICT;
        """

    private static let devices = """
        CREATE TABLE device (
            home TEXT NOT NULL CHECK (length(home) > 0),
            device TEXT NOT NULL CHECK (length(device) > 0),
            description BLOB NOT NULL,
            PRIMARY KEY (home, device)
        ) STRICT, WITHOUT ROWID;
        """

    /// Apart from the descriptions, which are large and change seldom.
    private static let heard = """
        CREATE TABLE heard (
            home TEXT NOT NULL,
            device TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (home, device),
            FOREIGN KEY (home, device) REFERENCES device (home, device) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        """

    /// What is open for a device is looked up for every new command to it.
    private static let openByDevice = """
        DROP INDEX openCommand;
        CREATE INDEX openCommand ON command (controller, home, device) WHERE isOpen;
        """

    /// When a command without a final state was closed, so that nobody looks after it any more.
    private static let closed = "ALTER TABLE command ADD COLUMN closedAt INTEGER;"

    /// Where a command was meant to go. Nobody knows that of those that were made before.
    private static let places =
        "ALTER TABLE command ADD COLUMN place TEXT CHECK (length(place) > 0);"

    /// The revision of the settings that the link keeps for the device from which on they contain the
    /// command. A command with one is open until the device has reported it.
    private static let keptSettings = """
        ALTER TABLE command ADD COLUMN desiredRevision INTEGER CHECK (desiredRevision >= 1);
        """
}
