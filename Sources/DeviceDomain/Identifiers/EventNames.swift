/// The events of the protocol's own kinds (PROTOCOL section 5).
extension EventName {
    /// A cleaning came to its end.
    public static let cleaningFinished = word("cleaning-finished")
    /// The robot stands on its dock.
    public static let docked = word("docked")
    /// The battery is low.
    public static let lowBattery = word("low-battery")
    /// A program of a pool robot came to its end.
    public static let programFinished = word("program-finished")
    /// The filter is full.
    public static let filterFull = word("filter-full")
    /// The robot runs out of the water.
    public static let outOfWater = word("out-of-water")
    /// The home is off the grid.
    public static let gridLost = word("grid-lost")
    /// The home is on the grid again.
    public static let gridRestored = word("grid-restored")
    /// The robot cannot move.
    public static let stuck = word("stuck")
    /// The store is too hot for its full power.
    public static let overTemperature = word("over-temperature")
    /// A part of the device does not work.
    public static let fault = word("fault")

    private static func word(_ text: String) -> EventName {
        guard let name = EventName(rawValue: text) else {
            preconditionFailure("\(text) is a name of PROTOCOL section 5")
        }
        return name
    }
}
