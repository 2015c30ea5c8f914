package import DeviceDomain
package import Fleet
package import MQTTClient

/// The controllers of one process: one for each broker that its homes use.
package struct ScenarioControllers: Sendable {
    private let brokers: FleetBrokers
    /// By the places of their brokers.
    private let all: [Int: ScenarioController]

    /// - Parameters:
    ///   - id: names them; each process of a run has its own.
    ///   - credentials: as whom they connect; `nil` for those of the devices.
    ///   - homes: whose acks they hear.
    ///   - heardHomes: whose samples they hear.
    ///   - askedHomes: whose retained messages they may be asked for.
    /// - Throws: `FleetError` where no thread can be made.
    package init(
        _ id: ControllerID, on brokers: FleetBrokers, speaking version: FleetProtocolVersion,
        credentials: MQTTCredentials?, homes: Set<HomeID>, hearingSamplesOf heardHomes: Set<HomeID>,
        of askedHomes: Set<HomeID>, clock: FleetClock
    ) throws(FleetError) {
        self.brokers = brokers
        var all: [Int: ScenarioController] = [:]
        for place in Set(askedHomes.map(brokers.place)).sorted() {
            func isHere(_ home: HomeID) -> Bool { brokers.place(of: home) == place }
            all[place] = try ScenarioController(
                id, on: brokers.all[place], speaking: version, credentials: credentials,
                homes: homes.filter(isHere).sorted(),
                hearingSamplesOf: heardHomes.filter(isHere).sorted(), clock: clock)
        }
        self.all = all
    }

    /// Begins to connect.
    func connect() async {
        for controller in all.values { await controller.connect() }
    }

    /// Ends the connections and their threads.
    func close() async {
        for controller in all.values { await controller.close() }
    }

    /// Sends commands whose time has come.
    func send(_ commands: [ScriptedCommand]) async {
        for (place, commands) in Dictionary(grouping: commands, by: { place(of: $0.device) }) {
            await all[place]?.send(commands)
        }
    }

    /// What became of commands so far.
    func figures(
        of devices: Set<DeviceKey>, meantWithin window: ClosedRange<Duration>
    ) async -> CommandFigures {
        var figures = CommandFigures()
        for controller in all.values {
            figures.add(await controller.figures(of: devices, meantWithin: window))
        }
        return figures
    }

    /// All commands, by how they ended so far.
    func tally() async -> CommandTally {
        var tally = CommandTally()
        for controller in all.values { tally.merge(await controller.tally) }
        return tally
    }

    /// How many samples were not heard, and of which device first.
    func lostSamples(of devices: Set<DeviceKey>) async -> (count: Int, first: DeviceKey?) {
        var (count, first) = (0, DeviceKey?.none)
        for controller in all.values {
            let lost = await controller.lostSamples(of: devices)
            count += lost.count
            first = [first, lost.first].compactMap(\.self).min()
        }
        return (count, first)
    }

    /// What the brokers retain of devices, by topic; what does not come in time is missing.
    func retainedMessages(
        of devices: [DeviceKey], within limit: Duration
    ) async -> [String: [UInt8]] {
        var messages: [String: [UInt8]] = [:]
        for (place, devices) in Dictionary(grouping: devices, by: place) {
            let found = await all[place]?.retainedMessages(of: devices, within: limit) ?? [:]
            messages.merge(found) { first, _ in first }
        }
        return messages
    }

    private func place(of device: DeviceKey) -> Int { brokers.place(of: device.home) }
}
