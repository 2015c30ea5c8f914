import DeviceDomain

// What a device shares with the others of its home.
extension SimulatedDevice {
    /// Works on the home as its last device left it; what this one changes in it is there afterwards.
    mutating func share(
        _ household: inout Household?, during body: (inout SimulatedDevice) -> Void
    ) {
        guard behaviour.sharesItsHome, var home = household.take() else { return body(&self) }
        behaviour.exchange(&home)
        body(&self)
        behaviour.exchange(&home)
        behaviour.takePart(of: home)
        household = home
    }

    /// Adds what the device brings to the home that it shares with others. The device gets that home
    /// with its next input.
    func join(_ household: inout Household) {
        guard let own = behaviour.household else { return }
        household.merge(own)
    }

    /// Returns to the home that it shares with others, after a start of its own.
    func rejoin(_ household: inout Household?) {
        guard let own = behaviour.household else { return }
        household?.takeBack(own)
    }
}
