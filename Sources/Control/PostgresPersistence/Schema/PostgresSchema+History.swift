extension PostgresSchema {
    /// What happened in homes. A table for each day is made before the day begins, and dropped when it is old: then
    /// nothing has to be searched for what is to be removed (``PostgresSampleStore``). `day` counts from 1970 in UTC.
    ///
    /// Signals and details are what the device has sent, for other programs to read.
    static let history = [
        """
        CREATE TABLE sample (
            home text NOT NULL CHECK (length(home) > 0),
            device text NOT NULL CHECK (length(device) > 0),
            at bigint NOT NULL,
            boot text NOT NULL,
            n bigint NOT NULL CHECK (n >= 0),
            day bigint NOT NULL,
            signals json NOT NULL,
            PRIMARY KEY (home, device, at, boot, n, day)
        ) PARTITION BY LIST (day)
        """,
        """
        CREATE TABLE fact (
            home text NOT NULL CHECK (length(home) > 0),
            device text NOT NULL CHECK (length(device) > 0),
            kind text NOT NULL CHECK (length(kind) > 0),
            at bigint NOT NULL,
            name text NOT NULL,
            id text NOT NULL,
            day bigint NOT NULL,
            detail json NOT NULL,
            PRIMARY KEY (home, device, kind, at, name, id, day)
        ) PARTITION BY LIST (day)
        """,
    ]
}
