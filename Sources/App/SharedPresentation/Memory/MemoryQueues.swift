internal import DeviceDomain

/// The devices of which a command has moved and is to be read again, each once.
@MainActor
final class DevicesToReload {
    /// Says that there are some.
    let signals: AsyncStream<Void>
    private let source: AsyncStream<Void>.Continuation
    private var devices: Set<DeviceID> = []

    init() {
        (signals, source) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ device: DeviceID) {
        devices.insert(device)
        source.yield()
    }

    /// The devices since the last call, in the order of their ids.
    func take() -> [DeviceID] {
        defer { devices = [] }
        return devices.sorted()
    }
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
