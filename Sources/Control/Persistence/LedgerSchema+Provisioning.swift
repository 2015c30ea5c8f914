extension LedgerSchema {
    /// Attempts to bring boxed devices into a home. Of one device at most one is open.
    static let provisioning = """
        CREATE TABLE provisioning (
            number INTEGER PRIMARY KEY,
            attempt TEXT NOT NULL UNIQUE CHECK (length(attempt) = 16),
            home TEXT NOT NULL CHECK (length(home) > 0),
            label TEXT NOT NULL CHECK (length(label) > 0),
            device TEXT NOT NULL CHECK (length(device) > 0),
            startedAt INTEGER NOT NULL,
            step TEXT NOT NULL CHECK (step IN (
                'begun', 'claiming', 'joining', 'finalizing', 'provisioned', 'rolled-back')),
            nonce TEXT,
            serial TEXT,
            revision INTEGER NOT NULL CHECK (revision >= 1)
        ) STRICT;

        CREATE UNIQUE INDEX openProvisioning ON provisioning (home, label)
            WHERE step NOT IN ('provisioned', 'rolled-back');
        """
}
