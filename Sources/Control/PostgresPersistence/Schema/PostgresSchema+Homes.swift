internal import LedgerRows

extension PostgresSchema {
    /// Who owns which home, and the end of its log. An epoch counts the owners of a home; whoever writes as an owner
    /// names it. The rules of taking are here too, so that a program that is wrong cannot break them: another instance
    /// gets a home only with a later epoch, and only where the lease of the former one is over.
    ///
    /// `anchor` is a chain over all homes: where the log of a home ended when it was made, taken or released. It shows
    /// a home that is missing, and a log that was made anew.
    static let homes =
        [
            """
            CREATE TABLE instance (
                number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                name text NOT NULL CHECK (length(name) > 0),
                beganAt bigint NOT NULL,
                expiresAt bigint NOT NULL
            )
            """,
            """
            CREATE TABLE home (
                number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                controller text NOT NULL CHECK (length(controller) > 0),
                home text NOT NULL CHECK (length(home) > 0),
                epoch bigint NOT NULL DEFAULT 0 CHECK (epoch >= 0),
                instance bigint REFERENCES instance (number),
                lastNumber bigint NOT NULL DEFAULT 0 CHECK (lastNumber >= 0),
                lastHash bytea NOT NULL DEFAULT \(noHash)
                    CHECK (octet_length(lastHash) = \(SHA256.size)),
                UNIQUE (controller, home),
                CHECK (instance IS NULL OR epoch > 0)
            ) WITH (fillfactor = 50)
            """,
            "CREATE INDEX homeOfInstance ON home (instance) WHERE instance IS NOT NULL",
            """
            CREATE FUNCTION guardHome() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF NEW.epoch < OLD.epoch OR NEW.lastNumber < OLD.lastNumber THEN \(fence); END IF;
                IF NEW.instance IS NOT NULL AND NEW.instance IS DISTINCT FROM OLD.instance THEN
                    IF NEW.epoch = OLD.epoch THEN \(fence); END IF;
                    PERFORM FROM \(name).instance WHERE number = OLD.instance FOR SHARE;
                    PERFORM FROM \(name).instance WHERE number = OLD.instance
                        AND expiresAt > \(name).ledgerClock();
                    IF FOUND THEN \(fence); END IF;
                END IF;
                RETURN NEW;
            END $$
            """,
            """
            CREATE TRIGGER homeIsTakenInOrder BEFORE UPDATE ON home FOR EACH ROW
                WHEN (NEW.epoch <> OLD.epoch OR NEW.instance IS DISTINCT FROM OLD.instance
                    OR NEW.lastNumber < OLD.lastNumber)
                EXECUTE FUNCTION guardHome()
            """,
            """
            CREATE FUNCTION refuseChange() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'the log is only added to'; END $$
            """,
            """
            CREATE TABLE anchor (
                number bigint PRIMARY KEY CHECK (number > 0),
                at bigint NOT NULL,
                controller text NOT NULL,
                home text NOT NULL,
                epoch bigint NOT NULL,
                instance text,
                lastNumber bigint NOT NULL,
                lastHash bytea NOT NULL,
                hash \(hash)
            )
            """,
            "CREATE INDEX anchorOfHome ON anchor (controller, home)",
            """
            CREATE TABLE anchorHead (
                one boolean PRIMARY KEY DEFAULT true CHECK (one),
                number bigint NOT NULL,
                hash \(hash)
            )
            """,
            "INSERT INTO anchorHead (number, hash) VALUES (0, \(noHash))",
        ] + protection(of: "anchor")

    /// Instances that drive several homes: those of which controller, and which of them, with commas between the ids;
    /// no `onlyHomes` means all. Other processes take a home when they need it, and have no controller here.
    static let instances = [
        """
        ALTER TABLE instance ADD COLUMN controller text CHECK (length(controller) > 0),
            ADD COLUMN onlyHomes text, ADD CHECK (controller IS NOT NULL OR onlyHomes IS NULL)
        """
    ]
}
