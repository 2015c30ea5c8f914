/// Limits reports about single devices when hundreds have the same problem.
struct TroubleReport {
    /// How many devices are named per problem.
    static let namedDevices = 5

    private var reported: [String: Set<Int>] = [:]

    /// The notice for a device, if any: each device once per problem, only the first few by name.
    mutating func notice(
        _ trouble: String, of index: Int, _ notice: @autoclosure () -> FleetNotice
    ) -> FleetNotice? {
        guard reported[trouble, default: []].insert(index).inserted else { return nil }
        switch reported[trouble, default: []].count {
        case ...Self.namedDevices: return notice()
        case Self.namedDevices + 1: return .moreOf(trouble: trouble)
        default: return nil
        }
    }
}
