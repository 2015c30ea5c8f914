import Homeport
import TerminalOutput

@testable import HomeportCLI

/// Devices of a home as a channel would make them known, with ordinary and hostile names.
struct SampleHome {
    let noon = Timestamp(milliseconds: 1_764_000_000_000)
    private(set) var model: HomeModel
    private let home: HomeID
    private let channel: ChannelID

    init() throws {
        home = try HomeID("home-1")
        channel = try ChannelID("mqtt")
        model = HomeModel(home)
    }

    /// A home with a device of each kind.
    static func ordinary() throws -> SampleHome {
        var home = try SampleHome()
        try home.add("pool-1", "pool-robot", "pool-p1", "Pool robot 1", state: ["activity": "idle"])
        try home.add(
            "store-1", "energy-store", "store-e10", "Energy store 1",
            state: ["mode": "self-consumption"], telemetry: ["stateOfChargePercent": 54.2])
        try home.add(
            "sweeper-1", "sweeping-robot", "sweeper-pro", "Sweeper 1",
            state: ["activity": "cleaning", "batteryPercent": 81])
        try home.add("sweeper-10", "sweeping-robot", "sweeper-s1", "Sweeper 10", online: false)
        return home
    }

    /// A home of devices that chose their names badly.
    static func hostile() throws -> SampleHome {
        var home = try SampleHome()
        try home.add("bidi", "lamp", "m", "\u{202E}evil\u{2066}\u{200F}\u{61C}")
        try home.add("cjk", "扫地机器人", "m", "客厅的扫地机器人一号", state: ["activity": "清扫"])
        try home.add("control", "lamp", "m", "\u{1B}[2J\u{9B}1m\n")
        try home.add("emoji", "lamp", "m", "👩‍👩‍👧 🇩🇪 ❤️ e\u{301}")
        try home.add("huge", "lamp", "m", String(repeating: "long ", count: 10_000))
        return home
    }

    var devices: [KnownDevice] { model.allDevices }

    func device(_ id: String) throws -> KnownDevice? { model.devices[try DeviceID(id)] }

    mutating func add(
        _ id: String, _ kind: String, _ model: String, _ name: String, online: Bool = true,
        state: JSONObject? = nil, telemetry: JSONObject? = nil,
        capabilities: Set<Capability> = [], commands: [CommandSpecification] = []
    ) throws {
        let profile = DeviceProfile(
            id: try DeviceID(id), home: home, kind: DeviceKind(rawValue: kind),
            model: DeviceModel(rawValue: model), name: name, firmware: "1.0",
            capabilities: capabilities, commands: commands)
        try hear(id, .description(profile))
        try hear(id, .presence(Presence(online ? .online : .offline, boot: BootID("b1"), at: noon)))
        if let state { try hear(id, .state(StateReport(state, revision: 3, at: noon))) }
        if let telemetry { try hear(id, .telemetry(TelemetryReport(telemetry, at: noon))) }
    }

    /// A device that an earlier run knew.
    mutating func remember(_ id: String, heardAt moment: Timestamp?) throws {
        let profile = DeviceProfile(
            id: try DeviceID(id), home: home, kind: DeviceKind(rawValue: "lamp"),
            model: DeviceModel(rawValue: "lamp-l1"), name: "Lamp", firmware: "1.0",
            capabilities: [], commands: [])
        model.remember(RememberedDevice(profile: profile, channel: channel, heardAt: moment))
    }

    @discardableResult
    mutating func hear(_ id: String, _ content: DeviceObservation.Content) throws -> [DeviceChange]
    {
        model.apply(
            DeviceObservation(
                channel: channel, home: home, device: try DeviceID(id), content: content),
            at: noon)
    }

    func change(_ id: String, _ content: DeviceChange.Content) throws -> DeviceChange {
        DeviceChange(device: try DeviceID(id), channel: channel, content: content)
    }

    /// A command as the ledger has it.
    func record(
        _ number: Int, _ name: String, to device: String = "sweeper-1", _ state: CommandState,
        arguments: JSONObject = [:], code: AckCode? = nil, message: String = "",
        isDryRun: Bool = false
    ) throws -> CommandRecord {
        let intent = CommandIntent(
            id: try Self.command(number), controller: try ControllerID("homeport"), home: home,
            device: try DeviceID(device), name: CommandName(rawValue: name), arguments: arguments,
            sort: .setting, issuedAt: noon, expiresAt: noon.advanced(by: .seconds(30)),
            isDryRun: isDryRun)
        let progress = CommandProgress(
            state: state, code: code, message: message, sends: 1,
            timings: CommandTimings(
                createdAt: noon,
                finalAt: state.isFinal ? noon.advanced(by: .milliseconds(56)) : nil))
        return CommandRecord(
            prepared: PreparedCommand(intent: intent, channel: channel, sequence: 1, payload: []),
            progress: progress)
    }

    static func command(_ number: Int) throws -> CommandID {
        guard let id = CommandID("018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e1\(number)") else {
            throw SampleError.notAnID(number)
        }
        return id
    }

    private enum SampleError: Error {
        case notAnID(Int)
    }

    /// A time that does not depend on the zone of the machine.
    @Sendable
    static func time(_ moment: Timestamp) -> String { "2025-11-24 16:00:00" }
}

extension Layout {
    /// A terminal without colours.
    static func terminal(_ width: Int) -> Layout { Layout(width: width) }
}
