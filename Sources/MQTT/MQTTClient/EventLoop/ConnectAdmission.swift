/// Which connections of a loop may try to connect now.
struct ConnectAdmission {
    /// The attempts that run, and those that wait for their end.
    var gate: ConnectGate<ConnectionTable.Reference>
    /// Attempts after a failure, which wait for the reconnect budget.
    var reconnects: ReconnectQueue<ConnectionTable.Reference>
    /// Whether they wait for other attempts to end, too.
    let retriesWaitForOutstanding: Bool

    init(maximumOutstanding: Int, budget: MQTTReconnectBudget) {
        gate = ConnectGate(capacity: maximumOutstanding)
        reconnects = ReconnectQueue(budget: budget)
        retriesWaitForOutstanding = budget.waitsForOutstanding
    }
}
