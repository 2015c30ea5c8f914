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

    /// Name, range and usual value, such as `percent=0…100 % (usually 5)`.
    package var text: String {
        "\(name)=\(Self.text(range.lowerBound))…\(Self.text(range.upperBound)) \(unit) "
            + "(usually \(Self.text(usual)))"
    }

    private static func text(_ number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}
