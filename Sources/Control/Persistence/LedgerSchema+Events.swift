extension LedgerSchema {
    /// The log of events, and commands as what follows from it. Vocabularies are open: a later
    /// version may add states, sorts and policies without a new schema, so no table lists them.
    ///
    /// Inquiries are no commands any more and are dropped with what belongs to them. Acks, changes
    /// and anomalies of the other commands become events in the order of their times.
    static let events = """
        CREATE TABLE event (
            number INTEGER PRIMARY KEY,
            command BLOB NOT NULL CHECK (length(command) = 16),
            kind TEXT NOT NULL CHECK (length(kind) > 0),
            at INTEGER NOT NULL,
            cause TEXT NOT NULL,
            state TEXT,
            detail BLOB NOT NULL,
            raw BLOB
        ) STRICT;

        \(formerEvents)
        DROP TABLE transition;
        DROP TABLE ack;
        DROP TABLE anomaly;

        CREATE INDEX eventOfCommand ON event (command);
        CREATE TRIGGER eventIsNotChanged BEFORE UPDATE ON event
            BEGIN SELECT RAISE(ABORT, 'the log of events is only added to'); END;
        CREATE TRIGGER eventIsNotDeleted BEFORE DELETE ON event
            BEGIN SELECT RAISE(ABORT, 'the log of events is only added to'); END;

        ALTER TABLE command RENAME TO formerCommand;
        \(command)
        \(formerCommands)
        DROP TABLE formerCommand;
        CREATE INDEX openCommand ON command (controller, home) WHERE isOpen;

        ALTER TABLE device ADD COLUMN channel TEXT NOT NULL DEFAULT 'mqtt'
            CHECK (length(channel) > 0);
        """

    /// What was wanted, the bytes of every send, and the progress that follows from the events.
    private static let command = """
        CREATE TABLE command (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            owner INTEGER NOT NULL REFERENCES process (id),
            controller TEXT NOT NULL CHECK (length(controller) > 0),
            home TEXT NOT NULL CHECK (length(home) > 0),
            device TEXT NOT NULL CHECK (length(device) > 0),
            channel TEXT NOT NULL CHECK (length(channel) > 0),
            name TEXT NOT NULL,
            arguments BLOB NOT NULL,
            lane TEXT NOT NULL,
            sort TEXT NOT NULL,
            offline TEXT NOT NULL,
            offlineMilliseconds INTEGER,
            issuedAt INTEGER NOT NULL,
            expiresAt INTEGER NOT NULL CHECK (expiresAt >= issuedAt),
            sequence INTEGER NOT NULL CHECK (sequence >= 1),
            ifRevision INTEGER,
            cause TEXT,
            isDryRun INTEGER NOT NULL CHECK (isDryRun IN (0, 1)),
            payload BLOB NOT NULL,
            step INTEGER NOT NULL CHECK (step >= 0),
            state TEXT NOT NULL,
            isOpen INTEGER NOT NULL CHECK (isOpen IN (0, 1)),
            code TEXT,
            message TEXT NOT NULL,
            percent REAL,
            result BLOB NOT NULL,
            revision INTEGER,
            boot TEXT,
            lastAck INTEGER NOT NULL CHECK (lastAck >= 0),
            sends INTEGER NOT NULL CHECK (sends >= 0),
            mayHaveLeft INTEGER NOT NULL CHECK (mayHaveLeft IN (0, 1)),
            createdAt INTEGER NOT NULL,
            sentAt INTEGER,
            acceptedAt INTEGER,
            finalAt INTEGER,
            observedAt INTEGER,
            UNIQUE (controller, home, device, sequence)
        ) STRICT;
        """

    /// What happened at the same millisecond: the first two states of a command, then each ack
    /// before the change that it caused, then what was wrong with it.
    private static let formerEvents = """
        INSERT INTO event (command, kind, at, cause, state, detail, raw)
        SELECT id, kind, at, '', state, CAST(detail AS BLOB), raw FROM (
            SELECT id, 'transition' AS kind, at, transition.state, '{}' AS detail, NULL AS raw,
                CASE WHEN transition.step < 2 THEN 0 ELSE 2 END AS rank, transition.step AS place
            FROM transition JOIN command ON command.number = transition.command
            WHERE purpose = 'request'
            UNION ALL
            SELECT id, 'evidence', receivedAt, NULL,
                '{"device":"' || device || '","n":' || n || ',"source":"device","stage":"'
                    || stage || '"}',
                ack.payload, 1, n
            FROM ack JOIN command ON command.number = ack.command
            WHERE purpose = 'request'
            UNION ALL
            SELECT command, 'anomaly', at, NULL,
                '{"anomaly":"' || kind || '","device":"' || device || '"}', ack, 3, number
            FROM anomaly
        ) ORDER BY at, id, rank, place;
        """

    private static let formerCommands = """
        INSERT INTO command
        SELECT number, id, owner, controller, home, device, 'mqtt', name, arguments, lane, sort,
            offline, offlineMilliseconds, issuedAt, expiresAt, sequence, ifRevision, cause,
            isDryRun, payload, step, state,
            state IN ('queued', 'sending', 'sent', 'accepted', 'running'), code, message,
            percent, result, revision, boot, lastAck, sends, mayHaveLeft, issuedAt, sentAt,
            acceptedAt, finalAt, NULL
        FROM formerCommand WHERE purpose = 'request';
        """
}
