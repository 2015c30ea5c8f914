internal import DeviceControl

/// Why statements were not carried out.
struct PostgresFailure: Error, Hashable, Sendable {
    /// What kind of failure it is.
    enum Reason: Hashable, Sendable {
        /// There is no connection, or it was lost before the transaction was to be committed.
        case unreachable
        /// The connection was lost while a transaction was committed: nobody knows whether it was.
        case unsettled
        /// The server refused, with this SQLSTATE; the second value is the constraint that was violated.
        case refused(state: String, constraint: String?)
    }

    let reason: Reason
    /// What the library or the server says; without secrets.
    let message: String

    /// SQLSTATE of the fences in the schema: a class that PostgreSQL leaves to its users.
    static let fencedState = "HP001"

    /// Whether the same statements may pass another time: another transaction was in the way.
    var isCollision: Bool {
        switch reason {
        // Serialization failure, deadlock, lock not available.
        case .refused(let state, _): ["40001", "40P01", "55P03"].contains(state)
        case .unreachable, .unsettled: false
        }
    }

    /// Whether a new connection may help: this one is lost, or its server ends or begins.
    var isLoss: Bool {
        switch reason {
        case .unreachable: true
        case .unsettled: false
        // The server shuts down, has crashed, or starts; a session that was idle for too long.
        case .refused(let state, _): ["57P01", "57P02", "57P03", "25P03"].contains(state)
        }
    }

    /// The failure with a cause and a remedy.
    func explained(_ address: PostgresAddress) -> LedgerError {
        switch reason {
        case .unreachable:
            return LedgerError(
                .unreachable,
                "the ledger at \(address) cannot be reached; check that PostgreSQL runs there and lets "
                    + "this user in", underlying: message)
        case .unsettled:
            return LedgerError(
                .unreachable,
                "the connection to the ledger at \(address) broke while it wrote, and it does not tell "
                    + "whether it did; look into the history before you do it again",
                underlying: message)
        case .refused(let state, let constraint):
            return Self.explained(state, constraint, message, address)
        }
    }

    private static func explained(
        _ state: String, _ constraint: String?, _ message: String, _ address: PostgresAddress
    ) -> LedgerError {
        let (code, text): (LedgerError.Code, String) =
            switch state {
            case fencedState: (.fenced, fenced)
            case "23505", "23503", "23514":
                (
                    .conflict,
                    "the ledger at \(address) refused an entry that contradicts another one"
                )
            case "42501", "25006":
                (
                    .unwritable,
                    "the ledger at \(address) cannot be written: its user may only read, or the server is "
                        + "a standby; choose another user or server"
                )
            case "53100":
                (
                    .full,
                    "there is no room left for the ledger at \(address); make room and try again"
                )
            case "53300", "57P01", "57P02", "57P03", "25P03":
                (
                    .unreachable,
                    "the ledger at \(address) takes no connection now; try again, or allow it more "
                        + "connections"
                )
            case "40001", "40P01", "55P03", "57014":
                (.busy, "another process held the ledger at \(address) for too long; try again")
            case "XX001", "XX002":
                (
                    .corrupt,
                    "the ledger at \(address) is damaged; restore the database from a copy"
                )
            default: (.failed, "the ledger at \(address) failed")
            }
        let place = constraint.map { " (\($0))" } ?? ""
        return LedgerError(code, text, underlying: "\(message)\(place), SQLSTATE \(state)")
    }

    /// What is said to who is not the owner any more.
    static let fenced =
        "another process owns this home now, so that nothing was written; this one takes it again when it "
        + "is free"
}
