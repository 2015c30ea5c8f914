// What a device shares with the others of its home.
extension SimulatedDevice {
    /// Handles an input of a device that shares its home with others.
    ///
    /// The device has the home only meanwhile and keeps its own part. A home that two places held would
    /// be copied with the next change, once for each device.
    /// - Parameter household: the home as its last device left it; what this one changes in it is
    ///   there afterwards.
    /// - Returns: what has to be done about it, in this order.
    package mutating func handle(
        _ input: DeviceInput, at moment: DeviceMoment, sharing household: inout Household?
    ) -> [DeviceAction] {
        guard behaviour.household != nil, household != nil else { return handle(input, at: moment) }
        behaviour.household = household.take()
        let actions = handle(input, at: moment)
        household = behaviour.household
        behaviour.household = household?.part(of: identity.device)
        return actions
    }

    /// Adds what the device brings to the home that it shares with others. The device gets that home
    /// with its next input.
    package func join(_ household: inout Household) {
        guard let own = behaviour.household else { return }
        household.merge(own)
    }

    /// Returns to the home that it shares with others, after a start of its own.
    package func rejoin(_ household: inout Household?) {
        guard let own = behaviour.household else { return }
        household?.takeBack(own)
    }
}
