extension LedgerMigration {
    /// Attempts to bring Matter devices onto servers. Of one device at most one is open on a channel. `formerNodes` are
    /// decimal numbers, separated by spaces; `label` is a keyed digest of the device's code.
    static let commissioning = LedgerMigration(
        name: "commissioning",
        sql: """
            CREATE TABLE commissioning (
                number INTEGER PRIMARY KEY,
                attempt TEXT NOT NULL UNIQUE CHECK (length(attempt) = 16),
                home TEXT NOT NULL CHECK (length(home) > 0),
                channel TEXT NOT NULL CHECK (length(channel) > 0),
                label TEXT NOT NULL CHECK (length(label) = 32),
                startedAt INTEGER NOT NULL,
                step TEXT NOT NULL CHECK (step IN (
                    'begun', 'commissioning', 'finalizing', 'provisioned', 'rolled-back')),
                askedAt INTEGER,
                formerNodes TEXT NOT NULL,
                node TEXT,
                revision INTEGER NOT NULL CHECK (revision >= 1),
                CHECK (step <> 'commissioning' OR askedAt IS NOT NULL),
                CHECK (step NOT IN ('finalizing', 'provisioned') OR node IS NOT NULL)
            ) STRICT;

            CREATE UNIQUE INDEX openCommissioning ON commissioning (home, channel, label)
                WHERE step NOT IN ('provisioned', 'rolled-back');
            """)
}
