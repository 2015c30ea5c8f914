/// What an invoker dropped or could not do.
public struct InvokerCounters: Hashable, Sendable {
    /// Acknowledgements of another device than the one that the command is for.
    public internal(set) var foreignAcks = 0
    /// Acknowledgements of commands that the ledger does not have.
    public internal(set) var unknownAcks = 0
    /// Changes that the ledger did not take at once.
    public internal(set) var ledgerFailures = 0
    /// Anomalies that were not recorded: too many, or the ledger failed.
    public internal(set) var unnotedAnomalies = 0

    public init() {}
}
