// What a device shares with the others of its home.
extension SimulatedDevice {
    /// Handles an input of a device that shares its home with others.
    /// - Parameter household: the home as its last device left it; what this one changes in it is
    ///   there afterwards.
    /// - Returns: what has to be done about it, in this order.
    package mutating func handle(
        _ input: DeviceInput, at moment: DeviceMoment, sharing household: inout Household?
    ) -> [DeviceAction] {
        if let household { behaviour.household = household }
        defer { household = behaviour.household ?? household }
        return handle(input, at: moment)
    }

    /// Adds what the device brings to the home that it shares with others. The device gets that home
    /// with its next input: a copy for each device, made while others still join, would be another one
    /// for each of them.
    package func join(_ household: inout Household) {
        guard let own = behaviour.household else { return }
        household.merge(own)
    }

    /// Returns to the home that it shares with others, after a start of its own.
    package mutating func rejoin(_ household: inout Household) {
        guard let own = behaviour.household else { return }
        household.takeBack(own)
        behaviour.household = household
    }
}
