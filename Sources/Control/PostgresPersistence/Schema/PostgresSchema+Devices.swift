extension PostgresSchema {
    /// The devices that were seen, and what the user calls them.
    static let devices = [
        """
        CREATE TABLE device (
            home text NOT NULL CHECK (length(home) > 0),
            device text NOT NULL CHECK (length(device) > 0),
            description bytea NOT NULL,
            channel text NOT NULL CHECK (length(channel) > 0),
            PRIMARY KEY (home, device)
        )
        """,
        """
        CREATE TABLE heard (
            home text NOT NULL,
            device text NOT NULL,
            at bigint NOT NULL,
            PRIMARY KEY (home, device),
            FOREIGN KEY (home, device) REFERENCES device (home, device) ON DELETE CASCADE
        )
        """,
        """
        CREATE TABLE room (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            home text NOT NULL CHECK (length(home) > 0),
            name text NOT NULL CHECK (length(name) > 0),
            UNIQUE (home, name)
        )
        """,
        """
        CREATE TABLE label (
            home text NOT NULL CHECK (length(home) > 0),
            device text NOT NULL CHECK (length(device) > 0),
            name text CHECK (length(name) > 0),
            room text,
            PRIMARY KEY (home, device),
            FOREIGN KEY (home, room) REFERENCES room (home, name)
        )
        """,
    ]

    /// The last revision that was given out for the settings that a link keeps for a device.
    static let keptSettings = [
        """
        CREATE TABLE keptSettings (
            home text NOT NULL CHECK (length(home) > 0),
            device text NOT NULL CHECK (length(device) > 0),
            revision bigint NOT NULL CHECK (revision >= 1),
            PRIMARY KEY (home, device)
        )
        """
    ]

    /// Commands at times of day. A number is never used again.
    static let schedules = [
        """
        CREATE TABLE schedule (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            controller text NOT NULL CHECK (length(controller) > 0),
            home text NOT NULL CHECK (length(home) > 0),
            device text NOT NULL CHECK (length(device) > 0),
            name text NOT NULL,
            arguments bytea NOT NULL,
            minutes bigint NOT NULL CHECK (minutes BETWEEN 0 AND 1439),
            days bigint CHECK (days BETWEEN 1 AND 127),
            date bigint,
            decidedUntil bigint NOT NULL,
            isPaused boolean NOT NULL DEFAULT false,
            taken bigint,
            lastRun bigint,
            lastMissed bigint,
            CHECK ((days IS NULL) <> (date IS NULL))
        )
        """
    ]

    /// Rules, what is remembered of each of them and a device, and their runs. An occasion is there once for each rule
    /// and device, whoever sees it. The device of a rule of a time is empty.
    static let rules = [
        """
        CREATE TABLE rule (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            controller text NOT NULL CHECK (length(controller) > 0),
            home text NOT NULL CHECK (length(home) > 0),
            name text NOT NULL CHECK (length(name) > 0),
            occurrence text NOT NULL CHECK (length(occurrence) > 0),
            hold bigint NOT NULL CHECK (hold >= 0),
            margin double precision NOT NULL CHECK (margin >= 0),
            scope text NOT NULL CHECK (scope IN ('every', 'device', 'kind', 'room')),
            subject text CHECK (length(subject) > 0),
            conditions bytea NOT NULL,
            actions bytea NOT NULL,
            oncePer bigint CHECK (oncePer > 0),
            maxAge bigint NOT NULL CHECK (maxAge >= 0),
            since bigint NOT NULL,
            pausedAt bigint,
            pauseReason bytea CHECK (octet_length(pauseReason) > 0),
            lastRunAt bigint,
            lastCause bytea,
            CHECK ((scope = 'every') = (subject IS NULL)),
            CHECK (pausedAt IS NOT NULL OR pauseReason IS NULL),
            CHECK ((lastRunAt IS NULL) = (lastCause IS NULL))
        )
        """,
        """
        CREATE TABLE ruleWatch (
            rule bigint NOT NULL REFERENCES rule (number) ON DELETE CASCADE,
            device text NOT NULL,
            phase text NOT NULL CHECK (phase IN ('released', 'holding', 'spent')),
            since bigint,
            lastRun bigint,
            PRIMARY KEY (rule, device),
            CHECK ((phase = 'holding') = (since IS NOT NULL))
        )
        """,
        """
        CREATE TABLE ruleRun (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            controller text NOT NULL,
            home text NOT NULL,
            rule bigint NOT NULL,
            name text NOT NULL,
            device text NOT NULL,
            at bigint NOT NULL,
            cause bytea NOT NULL,
            occasion text NOT NULL,
            targets text NOT NULL,
            outcome bytea,
            endedAt bigint,
            UNIQUE (rule, device, occasion),
            CHECK ((outcome IS NULL) = (endedAt IS NULL))
        )
        """,
        "CREATE INDEX openRuleRun ON ruleRun (controller, home) WHERE endedAt IS NULL",
    ]

    /// Attempts to bring boxed devices into a home, and Matter devices onto servers. Of one device at most one is open.
    static let attempts = [
        """
        CREATE TABLE provisioning (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            attempt text NOT NULL UNIQUE CHECK (length(attempt) = 16),
            home text NOT NULL CHECK (length(home) > 0),
            label text NOT NULL CHECK (length(label) > 0),
            device text NOT NULL CHECK (length(device) > 0),
            startedAt bigint NOT NULL,
            step text NOT NULL CHECK (step IN (
                'begun', 'claiming', 'joining', 'finalizing', 'provisioned', 'rolled-back')),
            nonce text,
            serial text,
            revision bigint NOT NULL CHECK (revision >= 1)
        )
        """,
        """
        CREATE UNIQUE INDEX openProvisioning ON provisioning (home, label)
            WHERE step NOT IN ('provisioned', 'rolled-back')
        """,
        """
        CREATE TABLE commissioning (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            attempt text NOT NULL UNIQUE CHECK (length(attempt) = 16),
            home text NOT NULL CHECK (length(home) > 0),
            channel text NOT NULL CHECK (length(channel) > 0),
            label text NOT NULL CHECK (length(label) = 32),
            startedAt bigint NOT NULL,
            step text NOT NULL CHECK (step IN (
                'begun', 'commissioning', 'finalizing', 'provisioned', 'rolled-back')),
            askedAt bigint,
            formerNodes text NOT NULL,
            node text,
            revision bigint NOT NULL CHECK (revision >= 1),
            CHECK (step <> 'commissioning' OR askedAt IS NOT NULL),
            CHECK (step NOT IN ('finalizing', 'provisioned') OR node IS NOT NULL)
        )
        """,
        """
        CREATE UNIQUE INDEX openCommissioning ON commissioning (home, channel, label)
            WHERE step NOT IN ('provisioned', 'rolled-back')
        """,
    ]
}
