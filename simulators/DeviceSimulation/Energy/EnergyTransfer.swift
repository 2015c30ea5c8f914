import DeviceDomain

/// A charge or a discharge that was asked for.
struct EnergyTransfer: Hashable, Sendable {
    /// Which way the energy goes.
    enum Direction: Hashable, Sendable {
        case charge, discharge
    }

    /// Which way.
    let direction: Direction
    /// The AC power, in W.
    let powerW: Double
    /// The state of charge at which it ends, in percent; `nil` for the charge limit or the
    /// reserve.
    let untilPercent: Double?
    /// The state of charge at which it began, in percent.
    let startPercent: Double

    /// Reads a `charge` or `discharge`, else `nil`.
    init?(_ request: BehaviourRequest, from startPercent: Double) {
        guard let powerW = request.arguments["powerW"]?.number else { return nil }
        switch request.name {
        case .charge: direction = .charge
        case .discharge: direction = .discharge
        default: return nil
        }
        self.powerW = powerW
        self.startPercent = startPercent
        untilPercent = request.arguments["untilPercent"]?.number
    }
}
