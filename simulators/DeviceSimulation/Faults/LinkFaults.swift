import DeviceDomain

/// What the faults of a device do to the network between it and its broker, and to its place there.
package struct LinkFaults: Hashable, Sendable {
    /// Whether packets get through.
    package enum Passage: Hashable, Sendable {
        /// They do.
        case open
        /// None does before the end of `half-open`; the broker's side of the connection is gone.
        case halfOpen
        /// None does before the end of `blackhole`; the connection is there all the same.
        case closed
    }

    /// Whether packets get through.
    package var passage = Passage.open
    /// Bytes in a second, in each direction; `nil` for as many as come.
    package var bytesPerSecond: Double?
    /// How late each byte arrives.
    package var delay: Duration = .zero
    /// How much later than that it arrives at most.
    package var jitter: Duration = .zero
    /// How likely a packet is lost, and is sent again.
    package var loss = 0.0
    /// Whether another client uses the id of the device.
    package var isTakenOver = false

    /// Nothing.
    package static let none = LinkFaults()
}

extension ActiveFaults {
    /// What they do to the network.
    package var link: LinkFaults {
        var link = LinkFaults()
        if self[.halfOpen] != nil { link.passage = .halfOpen }
        if self[.blackhole] != nil { link.passage = .closed }
        link.bytesPerSecond = self[.slowLink]?.value(of: .bytesPerSecond)
        if let latency = self[.latency] {
            link.delay = .milliseconds(Int(latency.value(of: .linkDelayMs)))
            link.jitter = .milliseconds(Int(latency.value(of: .jitterMs)))
        }
        link.loss = (self[.loss]?.value(of: .lossPercent) ?? 0) / 100
        link.isTakenOver = self[.takeover] != nil
        return link
    }
}

extension SimulatedFault {
    /// Whether it acts on the network between device and broker, so that nothing happens where there is none.
    package var actsOnNetwork: Bool { entry.handler == .link }
}

extension FaultParameter {
    /// What a link carries in each direction. The usual value is about that of GPRS with one time slot and the
    /// coding scheme CS-1, 9.05 kbit/s (3GPP TS 43.064).
    static let bytesPerSecond = FaultParameter(
        name: "bytesPerSecond", unit: "B/s", range: 10...10_000_000, usual: 1000)
    /// How late a byte arrives, in each direction. The usual value is that over a geostationary satellite, 260 ms
    /// (ITU-T G.114).
    static let linkDelayMs = FaultParameter(
        name: "delayMs", unit: "ms", range: 0...60_000, usual: 260)
    /// How much later it arrives at most. The usual value is an estimate (engineering).
    static let jitterMs = FaultParameter(
        name: "jitterMs", unit: "ms", range: 0...60_000, usual: 50)
    /// How many packets are lost. The usual value is an estimate (engineering) for the rim of a wireless cell.
    static let lossPercent = FaultParameter(
        name: "percent", unit: "%", range: 0...50, usual: 5)
}
