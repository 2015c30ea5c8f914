/// The events of the protocol's own kinds (PROTOCOL section 5).
extension EventName {
    /// A cleaning came to its end.
    public static let cleaningFinished = literal("cleaning-finished")
    /// The robot stands on its dock.
    public static let docked = literal("docked")
    /// The battery is low.
    public static let lowBattery = literal("low-battery")
    /// A program of a pool robot came to its end.
    public static let programFinished = literal("program-finished")
    /// The filter is full.
    public static let filterFull = literal("filter-full")
    /// The robot runs out of the water.
    public static let outOfWater = literal("out-of-water")
    /// The home is off the grid.
    public static let gridLost = literal("grid-lost")
    /// The home is on the grid again.
    public static let gridRestored = literal("grid-restored")
    /// The robot cannot move.
    public static let stuck = literal("stuck")
    /// The store is too hot for its full power.
    public static let overTemperature = literal("over-temperature")
    /// A part of the device does not work.
    public static let fault = literal("fault")

    /// All of them.
    package static let standard: [EventName] = [
        .cleaningFinished, .docked, .lowBattery, .programFinished, .filterFull, .outOfWater,
        .gridLost,
        .gridRestored, .stuck, .overTemperature, .fault,
    ]
}
