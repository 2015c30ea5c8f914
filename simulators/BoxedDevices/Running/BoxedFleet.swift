package import DeviceDomain
package import Fleet
import MQTTClient
import ServiceLifecycle

/// Boxed devices with an access point each, as one service.
package struct BoxedFleet: Service {
    /// The most boxed devices of a run.
    package static let limit = 1000

    private let eventLoop: MQTTEventLoop
    private let hosts: [BoxedHost]

    /// The names that boxed devices have before a claim gives them others.
    package static func devices(count: Int, home: HomeID) -> [DeviceKey] {
        (0..<count).map { BoxedIdentity.key(of: $0 + 1, in: home) }
    }

    /// Devices as their folders remember them, `boxed-1` and so on; their access points open when the
    /// service runs.
    /// - Parameter directory: each device has a folder in it.
    /// - Throws: ``FleetError`` or ``BoxedDeviceError``.
    package init(
        count: Int, home: HomeID, seed: UInt64, in directory: JournalDirectory,
        _ settings: BoxedSettings
    ) throws {
        let loop = try MQTTEventLoop(label: "boxed", reconnectBudget: .individual)
        eventLoop = loop
        hosts = try (1...count).map { number in
            try BoxedHost(
                BoxedIdentity(number: number, home: home, seed: seed),
                in: JournalDirectory(path: "\(directory.path)/boxed-\(number)"), settings, on: loop)
        }
    }

    /// Runs the devices until a graceful shutdown.
    /// - Throws: ``BoxedDeviceError`` or ``FleetError``.
    package func run() async throws {
        do {
            try await serve()
        } catch {
            await eventLoop.shutdown()
            throw error
        }
        await eventLoop.shutdown()
    }

    private func serve() async throws {
        try await withThrowingTaskGroup(of: Void.self) { devices in
            for host in hosts { devices.addTask { try await host.run() } }
            try await devices.waitForAll()
        }
    }

    /// Whether a boxed device has this name, in its box or in a home: `DEVICE` or `HOME/DEVICE`.
    package func hasDevice(named name: String) async -> Bool {
        for host in hosts { if await host.names.contains(name) { return true } }
        return false
    }

    /// The devices whose access points are open.
    package func status() async -> [BoxedStatus] {
        var open: [BoxedStatus] = []
        for host in hosts { if let status = await host.status { open.append(status) } }
        return open
    }
}
