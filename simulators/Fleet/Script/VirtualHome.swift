import DeviceDomain
import DeviceMessages
import DeviceSimulation

/// A home of a run without a broker, and what a script does to it.
///
/// Commands go straight to the devices, and their acks straight into the log. A device that has lost its connection
/// gets its commands when it is back, as a broker keeps them for a session, unless they have expired.
struct VirtualHome {
    /// What a home came to.
    struct Result: Sendable {
        var devices: [FleetReport.Device] = []
        var traces: [DeviceTrace] = []
        var invariants = InvariantRecord()
        var faults: [FaultLog.Entry] = []
        var commands = CommandLog()
        var violations: [Int] = []
    }

    /// A device of the home.
    private struct Member {
        let planned: PlannedDevice
        var transcript: DeviceTranscript
        var boot: BootCount
        /// Whether it has what a connection would be.
        var isOnline = false
        /// Commands that wait until it is back.
        var waiting: [(command: CommandMessage, lane: CommandLane)] = []
        /// The number of its last command.
        var sequence = 0
    }

    /// How far a home is taken at once, so that what its devices make is used up soon.
    private static let stride = Duration.seconds(5)
    /// Who sends the commands.
    private static let controller = ControllerID.literal("scenario")

    private let epoch: Timestamp
    private let telemetryInterval: Duration
    private let script: FleetScript
    private var home: HomeWorld
    private var members: [Member]
    private var passed = Duration.zero
    private var nextEntry = 0
    private var nextCommand = 0
    /// For what commands were meant, by their ids.
    private var meant: [CommandID: Duration] = [:]
    private var faults = FaultLog()
    private var traces: DeviceTraces
    private var result = Result()

    /// - Parameters:
    ///   - planned: the devices of one home; at least one.
    ///   - script: what happens to them.
    ///   - isTraced: whether the ways of its devices are drawn.
    /// - Throws: ``FleetError`` where a model cannot be simulated.
    init(
        _ planned: ArraySlice<PlannedDevice>, telemetryInterval: Duration, epoch: Timestamp,
        script: FleetScript, isTraced: Bool = false
    ) throws(FleetError) {
        guard let first = planned.first else {
            throw FleetError(.internal, "a home without devices cannot be simulated")
        }
        self.epoch = epoch
        self.telemetryInterval = telemetryInterval
        self.script = script
        traces = DeviceTraces(of: isTraced ? planned.map(\.identity) : [])
        members = planned.map { planned in
            let wire = DeviceWire(home: planned.identity.home, device: planned.identity.device)
            return Member(
                planned: planned, transcript: DeviceTranscript(of: wire),
                boot: BootCount(count: 1, since: epoch))
        }
        let start = DeviceMoment(wire: epoch, world: epoch, monotonic: .zero)
        var devices: [SimulatedDevice] = []
        for member in members {
            devices.append(
                try Self.device(of: member, every: telemetryInterval, restoring: nil, at: start))
        }
        let household = Household(
            home: first.identity.home, seed: first.homeSeed, region: first.regionSeed, at: epoch)
        home = HomeWorld(devices, in: household, at: epoch)
    }

    private static func device(
        of member: Member, every telemetryInterval: Duration, restoring former: SimulatedDevice?,
        at moment: DeviceMoment
    ) throws(FleetError) -> SimulatedDevice {
        let planned = member.planned
        do {
            return try SimulatedDevice(
                identity: planned.identity, seed: planned.seed, homeSeed: planned.homeSeed,
                regionSeed: planned.regionSeed, boot: member.boot.id,
                telemetryInterval: planned.group.telemetryInterval ?? telemetryInterval,
                restoring: former?.journal ?? .empty, having: former?.faults ?? .none,
                tellingWhatItMakes: true, wearing: planned.wears,
                parameters: planned.group.parameters, at: moment)
        } catch { throw FleetError(.internal, "\(planned.key): \(error)") }
    }

    /// Takes the home through its time.
    /// - Throws: ``FleetError``, and where the task is cancelled.
    mutating func run(
        for duration: Duration, report: @Sendable (FleetNotice) -> Void
    ) async throws -> Result {
        if usesConnections { for place in members.indices { try comeBack(place) } }
        while true {
            try performScript()
            try wake()
            noteCheckpoints()
            for violation in home.takeViolations() { report(.violated(violation)) }
            guard passed < duration else { break }
            passed = min(nextStop, duration)
            // Another task may have to end this one.
            await Task.yield()
            try Task.checkCancellation()
        }
        result.devices = members.map { FleetReport.Device($0.planned.identity, $0.transcript) }
        result.traces = traces.all
        result.invariants = home.invariants
        result.faults = faults.entries
        return result
    }

    /// Whether devices have what a connection would be. Where nothing happens to them nobody hears what it would take,
    /// and it costs time; else it is part of their world: what a device keeps for a restart it records with each sample
    /// while it is connected.
    private var usesConnections: Bool { !script.commands.isEmpty || !script.entries.isEmpty }

    private var moment: DeviceMoment {
        let world = epoch.advanced(by: passed)
        return DeviceMoment(wire: world, world: world, monotonic: passed)
    }

    /// Where the home has to be looked at next.
    private var nextStop: Duration {
        var stops = [passed + Self.stride]
        if nextEntry < script.entries.count { stops.append(script.entries[nextEntry].at) }
        if nextCommand < script.commands.count { stops.append(script.commands[nextCommand].at) }
        if result.violations.count < script.checkpoints.count {
            stops.append(script.checkpoints[result.violations.count])
        }
        if nextCommand > 0 { stops += home.devices.compactMap(\.nextReply) }
        // Who is offline comes back at an instant of the world.
        if usesConnections, members.contains(where: { !$0.isOnline }) {
            stops.append(home.nextInstant.since(epoch))
        }
        return max(stops.min() ?? passed, passed + .milliseconds(1))
    }

    private mutating func noteCheckpoints() {
        while result.violations.count < script.checkpoints.count,
            script.checkpoints[result.violations.count] <= passed
        {
            result.violations.append(
                home.invariants.entries.values.reduce(0) { $0 + $1.violations })
        }
    }

    // MARK: What happens to devices

    private mutating func performScript() throws(FleetError) {
        while nextEntry < script.entries.count, script.entries[nextEntry].at <= passed {
            let entry = script.entries[nextEntry]
            nextEntry += 1
            guard case .fault(let order) = entry.event, let place = place(of: entry.device) else {
                continue
            }
            let now = moment
            faults.note(order, of: entry.device, at: now.world)
            try hand(order.input(at: now.world), to: place)
        }
        while nextCommand < script.commands.count, script.commands[nextCommand].at <= passed {
            try send(script.commands[nextCommand])
            nextCommand += 1
        }
    }

    private func place(of device: DeviceKey) -> Int? {
        members.firstIndex { $0.planned.key == device }
    }

    private mutating func send(_ command: ScriptedCommand) throws(FleetError) {
        guard let place = place(of: command.device) else { return }
        let wire = moment.wire
        let sequence = max(members[place].sequence + 1, wire.milliseconds)
        members[place].sequence = sequence
        let message = command.message(by: Self.controller, issuedAt: wire, sequence: sequence)
        result.commands.note(message.id, for: command.device, meantAt: command.at)
        meant[message.id] = command.at
        guard members[place].isOnline else {
            return members[place].waiting.append((message, command.lane))
        }
        try hand(message, on: command.lane, to: place)
    }

    private mutating func hand(
        _ message: CommandMessage, on lane: CommandLane, to place: Int
    ) throws(FleetError) {
        try hand(
            .command(payload: message.payload, retained: false, responseTopic: nil, lane: lane),
            to: place)
    }

    /// Lets the world go on, and every device say what is due.
    private mutating func wake() throws(FleetError) {
        try hand(.wake, to: 0)
        guard nextCommand > 0 else { return }
        for place in members.indices.dropFirst()
        where home.devices[place].nextReply.map({ $0 <= passed }) ?? false {
            try hand(.wake, to: place)
        }
    }

    private mutating func hand(_ input: DeviceInput, to place: Int) throws(FleetError) {
        for output in home.handle(input, of: place, at: moment) {
            for action in output.actions { try carryOut(action, of: output.place) }
        }
    }

    private mutating func carryOut(_ action: DeviceAction, of place: Int) throws(FleetError) {
        switch action {
        case .made(let publication):
            members[place].transcript.add(publication)
            traces.note(publication, of: place)
        case .publish(.ack(let ack, _), let confirmation):
            let latency = passed - (meant[ack.id] ?? passed)
            result.commands.note(ack, at: passed, latency: latency)
            if let confirmation { try hand(.confirmed(confirmation), to: place) }
        case .publish, .count, .record: break
        case .dropConnection: members[place].isOnline = false
        case .connect: try comeBack(place)
        case .restart: try restart(place)
        // There is no network.
        case .resetConnection, .changeLink: break
        }
    }

    private mutating func comeBack(_ place: Int) throws(FleetError) {
        guard usesConnections else { return }
        members[place].isOnline = true
        try hand(.connected, to: place)
        let waiting = members[place].waiting
        members[place].waiting = []
        for (command, lane) in waiting where command.expiresAt >= moment.wire {
            try hand(command, on: lane, to: place)
        }
    }

    private mutating func restart(_ place: Int) throws(FleetError) {
        let former = home.devices[place]
        members[place].boot = members[place].boot.next
        members[place].isOnline = false
        let device = try Self.device(
            of: members[place], every: telemetryInterval, restoring: former,
            at: home.restartMoment(of: place, at: moment))
        home.replace(place, with: device)
        if !former.isKeptOffline { try comeBack(place) }
    }
}
