internal import LedgerRows

extension PostgresSchema {
    /// What was wanted, the bytes of every send, and the progress that follows from the events. Texts that come from
    /// devices and users are bytes: a text of PostgreSQL cannot hold every one.
    ///
    /// `epoch` is that of the owner who wrote the row last; 0 for who does not own the home, and may only queue and
    /// take back. `follower` is that of the owner who has taken the command over, to look after it.
    static let commands =
        [
            """
            CREATE TABLE command (
                number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                id bytea NOT NULL UNIQUE CHECK (octet_length(id) = 16),
                epoch bigint NOT NULL CHECK (epoch >= 0),
                follower bigint NOT NULL CHECK (follower >= 0),
                controller text NOT NULL,
                home text NOT NULL,
                device text NOT NULL CHECK (length(device) > 0),
                channel text NOT NULL CHECK (length(channel) > 0),
                name text NOT NULL,
                arguments bytea NOT NULL,
                lane text NOT NULL,
                sort text NOT NULL,
                offline text NOT NULL,
                offlineMilliseconds bigint,
                issuedAt bigint NOT NULL,
                expiresAt bigint NOT NULL CHECK (expiresAt >= issuedAt),
                sequence bigint NOT NULL CHECK (sequence >= 1),
                ifRevision bigint,
                cause bytea,
                isDryRun boolean NOT NULL,
                payload bytea NOT NULL,
                place text CHECK (length(place) > 0),
                step bigint NOT NULL CHECK (step >= 0),
                state text NOT NULL,
                isOpen boolean NOT NULL,
                code bytea,
                message bytea NOT NULL,
                percent double precision,
                result bytea NOT NULL,
                revision bigint,
                boot text,
                lastAck bigint NOT NULL CHECK (lastAck >= 0),
                sends bigint NOT NULL CHECK (sends >= 0),
                desiredRevision bigint CHECK (desiredRevision >= 1),
                mayHaveLeft boolean NOT NULL,
                createdAt bigint NOT NULL,
                sentAt bigint,
                acceptedAt bigint,
                finalAt bigint,
                observedAt bigint,
                closedAt bigint,
                UNIQUE (controller, home, device, sequence),
                FOREIGN KEY (controller, home) REFERENCES home (controller, home),
                CHECK (epoch > 0 OR NOT isOpen OR state IN ('created', 'queued'))
            ) WITH (fillfactor = 80)
            """,
            "CREATE INDEX commandOfHome ON command (controller, home, number)",
            "CREATE INDEX openCommand ON command (controller, home, device) WHERE isOpen",
            """
            CREATE INDEX unknownCommand ON command (controller, home)
                WHERE state = 'unknown' AND closedAt IS NULL
            """,
        ]
        + fencing(
            of: "command", on: "INSERT OR UPDATE",
            home: "controller = NEW.controller AND home = NEW.home")

    /// The log of each home, and the fence in it.
    static let events =
        [
            """
            CREATE TABLE event (
                home bigint NOT NULL REFERENCES home (number),
                number bigint NOT NULL CHECK (number > 0),
                epoch bigint NOT NULL CHECK (epoch >= 0),
                command bytea NOT NULL CHECK (octet_length(command) = 16),
                kind text NOT NULL CHECK (length(kind) > 0),
                at bigint NOT NULL,
                cause bytea NOT NULL,
                state text,
                detail bytea NOT NULL,
                raw bytea,
                hash \(hash),
                PRIMARY KEY (home, number),
                CHECK (epoch > 0 OR kind IN ('created', 'withdrawn', 'put-away'))
            )
            """,
            "CREATE INDEX eventOfCommand ON event (command)",
            """
            CREATE INDEX withdrawal ON event (home, number)
                WHERE kind IN ('withdrawn', 'put-away')
            """,
        ] + fencing(of: "event", on: "INSERT", home: "number = NEW.home") + protection(of: "event")

    /// Compares the epoch of a new row with that of its home, which nobody changes until the row is committed.
    private static func fencing(of table: String, on event: String, home: String) -> [String] {
        [
            """
            CREATE FUNCTION fence\(table)() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                PERFORM FROM \(name).home WHERE \(home) AND epoch = NEW.epoch AND instance IS NOT NULL
                    FOR SHARE;
                IF NOT FOUND THEN \(fence); END IF;
                RETURN NEW;
            END $$
            """,
            """
            CREATE TRIGGER \(table)IsFenced BEFORE \(event) ON \(table) FOR EACH ROW
                WHEN (NEW.epoch <> 0) EXECUTE FUNCTION fence\(table)()
            """,
        ]
    }
}
