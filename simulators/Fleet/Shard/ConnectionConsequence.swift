/// What follows for a shard from what happened on the connection of a device.
struct ConnectionConsequence {
    /// What people are told, in this order.
    var notices: [FleetNotice] = []
    /// Whether the broker denied the device something, which is counted.
    var isDenial = false
    /// Why the run cannot go on; `nil` where it can.
    var failure: FleetError?

    /// Nothing.
    static let none = ConnectionConsequence()

    /// People are told, if there is anything to tell.
    static func telling(_ notice: FleetNotice?) -> ConnectionConsequence {
        ConnectionConsequence(notices: notice.map { [$0] } ?? [])
    }

    /// The run cannot go on.
    static func failing(_ error: FleetError) -> ConnectionConsequence {
        ConnectionConsequence(failure: error)
    }
}
