extension LedgerSchema {
    /// Commands at times of day. A number is never used again, so that nobody removes a schedule that
    /// came later than the list that they look at.
    static let schedules = """
        CREATE TABLE schedule (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            controller TEXT NOT NULL CHECK (length(controller) > 0),
            home TEXT NOT NULL CHECK (length(home) > 0),
            device TEXT NOT NULL CHECK (length(device) > 0),
            name TEXT NOT NULL,
            arguments BLOB NOT NULL,
            minutes INTEGER NOT NULL CHECK (minutes BETWEEN 0 AND 1439),
            days INTEGER CHECK (days BETWEEN 1 AND 127),
            date INTEGER,
            decidedUntil INTEGER NOT NULL,
            taken INTEGER,
            lastRun INTEGER,
            lastMissed INTEGER,
            CHECK ((days IS NULL) <> (date IS NULL))
        ) STRICT;
        """

    /// Whether a schedule is paused.
    static let pausedSchedules = """
        ALTER TABLE schedule ADD COLUMN isPaused INTEGER NOT NULL DEFAULT 0 CHECK (isPaused IN (0, 1));
        """
}
