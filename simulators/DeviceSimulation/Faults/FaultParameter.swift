package import DeviceDomain

extension FaultParameter {
    /// How late acks leave. The usual delay is longer than the 1 s after which a controller sends a
    /// command again (PROTOCOL section 4).
    static let delayMs = FaultParameter(
        name: "delayMs", unit: "ms", range: 1...600_000, usual: 3000)
    /// What the battery holds at most, of its capacity. The usual value is below the 10 % at which a
    /// robot returns to its dock, and above the 5 % at which it switches itself off.
    static let batteryPercent = FaultParameter(
        name: "percent", unit: "%", range: 0...100, usual: 8)
    /// What is left of the nominal power. The usual value is an estimate (engineering).
    static let powerPercent = FaultParameter(
        name: "percent", unit: "%", range: 0...100, usual: 50)

    /// How likely it is that a message is hit.
    static func percent(usually usual: Double) -> FaultParameter {
        FaultParameter(name: "percent", unit: "%", range: 0...100, usual: usual)
    }
    /// The shortest time that is drawn for an ack.
    static let leastMs = FaultParameter(name: "leastMs", unit: "ms", range: 0...600_000, usual: 0)
    /// The longest time that is drawn for an ack; the shortest one where that is longer. The usual one is beyond
    /// several of the times after which a controller sends a command again (PROTOCOL section 4).
    static let mostMs = FaultParameter(
        name: "mostMs", unit: "ms", range: 0...600_000, usual: 10_000)
    /// By how much a clock is wrong, up to ten years. The usual value is the skew of a conformance test (row 12 of
    /// its checklist).
    static let offsetMs = FaultParameter(
        name: "offsetMs", unit: "ms", range: -315_360_000_000...315_360_000_000, usual: 600_000)
    /// By how much a clock jumps.
    static let stepMs = FaultParameter(
        name: "stepMs", unit: "ms", range: -315_360_000_000...315_360_000_000, usual: 60_000)
    /// How fast a clock is, in parts per million more than it should be. The usual value is that of an RC oscillator
    /// without a crystal (engineering, 1 %).
    static let partsPerMillion = FaultParameter(
        name: "ppm", unit: "ppm", range: -500_000...500_000, usual: 10_000)
    /// After what time something happens again.
    static let everySeconds = FaultParameter(
        name: "everySeconds", unit: "s", range: 5...86_400, usual: 60)
    /// By how much sensors are wrong at most, of their value. The usual value is an estimate (engineering).
    static let noisePercent = FaultParameter(
        name: "percent", unit: "%", range: 0...100, usual: 5)
    /// How much more sensors show after each hour, of their value. The usual value is an estimate (engineering).
    static let percentPerHour = FaultParameter(
        name: "percentPerHour", unit: "%", range: -1000...1000, usual: 10)

    /// Name, range and usual value, such as `percent=0…100 % (usually 5)`.
    package var text: String {
        "\(name)=\(Self.text(range.lowerBound))…\(Self.text(range.upperBound)) \(unit) "
            + "(usually \(Self.text(usual)))"
    }

    private static func text(_ number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}
