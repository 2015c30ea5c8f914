internal import GRDB
internal import LedgerRows

extension LedgerSchema {
    /// The chain of hashes over the log. A program that still works with the former schema, and knows
    /// no hashes, must not add to the log any more.
    static let audit = """
        ALTER TABLE event ADD COLUMN hash BLOB;
        CREATE TABLE auditHead (
            one INTEGER PRIMARY KEY DEFAULT 1 CHECK (one = 1),
            number INTEGER NOT NULL,
            hash BLOB NOT NULL CHECK (length(hash) = \(SHA256.size))
        ) STRICT;
        INSERT INTO auditHead (number, hash) VALUES (0, zeroblob(\(SHA256.size)));
        DROP TRIGGER eventIsNotChanged;
        """

    /// Links the events that are in the log already.
    static func linkEvents(in db: Database) throws {
        var head = try AuditHead.fetch(in: db)
        let change = try db.makeStatement(sql: "UPDATE event SET hash = ? WHERE number = ?")
        while let last = try linkSome(after: head, by: change, in: db) { head = last }
        try head.store(in: db)
        try db.execute(sql: protection)
    }

    /// A cursor must not run over rows that change, so some are read at a time.
    private static func linkSome(
        after head: AuditHead, by change: Statement, in db: Database
    ) throws -> AuditHead? {
        var rows: [AuditRow] = []
        let cursor = try AuditRow.fetch(after: head.number, in: db)
        while rows.count < 1_000, let row = try cursor.next() {
            rows.append(try AuditRow(SQLiteRow(row)))
        }
        var hash = head.hash
        for row in rows {
            hash = row.hash(after: hash)
            try change.execute(arguments: [Blob(hash.bytes), row.number])
        }
        return rows.last.map { AuditHead(number: $0.number, hash: hash) }
    }

    private static let protection = """
        CREATE TRIGGER eventIsNotChanged BEFORE UPDATE ON event
            BEGIN SELECT RAISE(ABORT, 'the log of events is only added to'); END;
        CREATE TRIGGER eventHasHash BEFORE INSERT ON event WHEN NEW.hash IS NULL
            BEGIN SELECT RAISE(ABORT,
                'a newer version has changed the ledger; start this program again'); END;
        """
}
