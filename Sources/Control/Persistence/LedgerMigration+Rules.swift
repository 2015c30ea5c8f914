extension LedgerMigration {
    /// Rules, what is remembered of each of them and a device, and their runs. A number is never used again. An
    /// occasion is there once for each rule and device, whoever sees it. The device of a rule of a time is empty.
    static let rules = LedgerMigration(
        name: "rules",
        sql: """
            CREATE TABLE rule (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                controller TEXT NOT NULL CHECK (length(controller) > 0),
                home TEXT NOT NULL CHECK (length(home) > 0),
                name TEXT NOT NULL CHECK (length(name) > 0),
                occurrence TEXT NOT NULL CHECK (length(occurrence) > 0),
                hold INTEGER NOT NULL CHECK (hold >= 0),
                margin REAL NOT NULL CHECK (margin >= 0),
                scope TEXT NOT NULL CHECK (scope IN ('every', 'device', 'kind', 'room')),
                subject TEXT CHECK (length(subject) > 0),
                conditions BLOB NOT NULL,
                actions BLOB NOT NULL,
                oncePer INTEGER CHECK (oncePer > 0),
                maxAge INTEGER NOT NULL CHECK (maxAge >= 0),
                since INTEGER NOT NULL,
                pausedAt INTEGER,
                pauseReason TEXT CHECK (length(pauseReason) > 0),
                lastRunAt INTEGER,
                lastCause TEXT,
                CHECK ((scope = 'every') = (subject IS NULL)),
                CHECK (pausedAt IS NOT NULL OR pauseReason IS NULL),
                CHECK ((lastRunAt IS NULL) = (lastCause IS NULL))
            ) STRICT;

            CREATE TABLE ruleWatch (
                rule INTEGER NOT NULL REFERENCES rule (number) ON DELETE CASCADE,
                device TEXT NOT NULL,
                phase TEXT NOT NULL CHECK (phase IN ('released', 'holding', 'spent')),
                since INTEGER,
                lastRun INTEGER,
                PRIMARY KEY (rule, device),
                CHECK ((phase = 'holding') = (since IS NOT NULL))
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE ruleRun (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                controller TEXT NOT NULL,
                home TEXT NOT NULL,
                rule INTEGER NOT NULL,
                name TEXT NOT NULL,
                device TEXT NOT NULL,
                at INTEGER NOT NULL,
                cause TEXT NOT NULL,
                occasion TEXT NOT NULL,
                targets TEXT NOT NULL,
                outcome TEXT,
                endedAt INTEGER,
                UNIQUE (rule, device, occasion),
                CHECK ((outcome IS NULL) = (endedAt IS NULL))
            ) STRICT;

            CREATE INDEX openRuleRun ON ruleRun (controller, home) WHERE endedAt IS NULL;
            """)
}
