internal import DeviceDomain

/// The devices of which a command has moved and is to be read again.
struct MovedDevices: Sendable {
    let stream: AsyncStream<DeviceID>
    private let source: AsyncStream<DeviceID>.Continuation

    init() {
        // What is dropped here is one of many readings of the same devices.
        (stream, source) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_000))
    }

    func add(_ device: DeviceID) { source.yield(device) }
}

/// The commands that were sent from here and are to be followed.
struct SentCommands: Sendable {
    let stream: AsyncStream<SentCommand>
    private let source: AsyncStream<SentCommand>.Continuation

    init() {
        // A command that is dropped here is found by the readings that its evidence causes.
        (stream, source) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(100))
    }

    func add(_ command: SentCommand) { source.yield(command) }
}
