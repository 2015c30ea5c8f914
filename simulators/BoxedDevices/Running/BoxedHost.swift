import Basics
import DeviceDomain
import DeviceMessages
import DeviceSimulation
import Fleet
import KillPoints
import MQTTClient
import ProvisioningProtocol
import ServiceLifecycle

/// Runs one boxed device: carries out what ``BoxedDevice`` asks for, over sockets, files and clocks.
actor BoxedHost {
    nonisolated let identity: BoxedIdentity
    nonisolated let settings: BoxedSettings
    nonisolated let directory: JournalDirectory
    nonisolated let eventLoop: MQTTEventLoop
    private nonisolated let store: BoxedStore
    private nonisolated let openings = LatestValue<Void>()
    private nonisolated let attempts = LatestValue<Void>()
    private nonisolated let entries = LatestValue<BoxedMembership>()
    private var device: BoxedDevice
    private var requests = 0
    /// What closes the present access point.
    private var ending = AccessPointEnding()
    /// Its access point, while that is open.
    private(set) var status: BoxedStatus?

    /// What it can be called: by its own name and that in its home, each with the home and without.
    var names: [String] {
        let own = [identity.key, identity.device.device.text]
        guard case .member(let member) = device.record.place else { return own }
        return own + [member.name, member.device.text]
    }

    /// A device as its folder remembers it.
    /// - Throws: ``BoxedDeviceError`` if the folder cannot be read.
    init(
        _ identity: BoxedIdentity, in directory: JournalDirectory, _ settings: BoxedSettings,
        on eventLoop: MQTTEventLoop
    ) throws(BoxedDeviceError) {
        self.identity = identity
        self.directory = directory
        self.settings = settings
        self.eventLoop = eventLoop
        store = BoxedStore(folder: directory.path)
        device = BoxedDevice(
            identity, restoring: try store.load(), in: settings.surroundings,
            failSafe: settings.failSafe, using: SystemGenerator(),
            makeKeys: { DeviceKeyPair(for: $0) },
            brokerDefect: { url in
                do throws(FleetError) {
                    _ = try FleetBroker(url: url)
                    return nil
                } catch { return error.message }
            })
    }

    /// Runs the device until a graceful shutdown.
    func run() async throws {
        if case .member(let member) = device.record.place {
            settings.report(
                .returning(
                    device: identity.key, home: member.name, broker: member.claim?.offer.broker))
        }
        _ = try perform(device.start())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.serveAccessPoints() }
            group.addTask { try await self.joinNetworks() }
            group.addTask { try await self.runConnections() }
            try await group.waitForAll()
        }
    }

    /// Carries out actions; nothing else happens to the device meanwhile.
    /// - Returns: what the client is answered, if one asked.
    private func perform(
        _ actions: [BoxedDevice.Action]
    ) throws(BoxedDeviceError) -> AccessPointAnswer? {
        var answer: AccessPointAnswer?
        for action in actions {
            switch action {
            case .save(let record):
                try store.save(record)
                KillPoint.boxSaved.pass()
            case .answer(let given): answer = given
            case .join: attempts.send(())
            case .closeAccessPoint(let clientKnows):
                (clientKnows ? ending.known : ending.unknown).send(())
            case .openAccessPoint: openings.send(())
            case .enter(let member): entries.send(member)
            }
        }
        return answer
    }

    private func handle(
        _ event: BoxedDevice.Event
    ) throws(BoxedDeviceError) -> AccessPointAnswer? {
        try perform(device.handle(event, at: FleetClock.system().now.wire))
    }
}

// The access point.
extension BoxedHost {
    private nonisolated func serveAccessPoints() async throws {
        for await _ in openings.stream.cancelOnGracefulShutdown() {
            let accessPoint = try await open()
            do {
                try await cancelWhenGracefulShutdown {
                    try await self.serve(accessPoint)
                }
            } catch is CancellationError { return }
            await closed()
        }
    }

    private func open() async throws(BoxedDeviceError) -> AccessPoint {
        let accessPoint = try await AccessPoint(address: identity.address, port: device.record.port)
        _ = try handle(.opened(port: accessPoint.port))
        let open = BoxedStatus(
            device: identity.key, accessPoint: accessPoint.url, label: identity.code.text)
        status = open
        ending = AccessPointEnding()
        settings.report(.boxed(open))
        return accessPoint
    }

    private func closed() { status = nil }

    private nonisolated func serve(_ accessPoint: AccessPoint) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await accessPoint.serve { try await self.reply(to: $0) }
                } catch is AccessPointLost { self.openings.send(()) }
            }
            let (lingering, brief) = (settings.lingering, settings.delayOnceKnown)
            let ending = await self.ending
            group.addTask { try await ending.unknown.wait(lingering) }
            group.addTask { try await ending.known.wait(brief) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func reply(to request: AccessPointRequest) async throws -> AccessPointReply {
        requests += 1
        let fault = settings.faults(request.endpoint, requests)
        switch fault {
        case .dropsRequest: return .none
        case .closes:
            throw AccessPointLost()
        case .slow(let delay): try await Task.sleep(for: delay)
        case .dropsAnswer, .cutsAnswer, nil: break
        }
        KillPoint.boxReceived.pass()
        guard let answer = try handle(.request(request)) else { return .none }
        switch fault {
        case .dropsAnswer: return .none
        case .cutsAnswer: return .half(answer)
        case .dropsRequest, .closes, .slow, nil: return .answer(answer)
        }
    }

    private nonisolated func joinNetworks() async throws {
        for await _ in attempts.stream.cancelOnGracefulShutdown() {
            try await Task.sleep(for: settings.joiningTime)
            try await joiningEnded()
        }
    }

    private func joiningEnded() throws(BoxedDeviceError) { _ = try handle(.joiningEnded) }
}

// The home.
extension BoxedHost {
    /// What came of a device's stay.
    private enum Outcome {
        /// The run ends, or the device has left.
        case ended
        /// The broker does not take the device.
        case refused
        /// The fail-safe had nothing to do.
        case stays
        /// The fail-safe had the device leave.
        case left
    }

    private nonisolated func runConnections() async throws {
        for await membership in entries.stream.cancelOnGracefulShutdown() {
            KillPoint.boxEntering.pass()
            try await live(membership)
        }
    }

    private nonisolated func live(_ membership: BoxedMembership) async throws {
        let journal = try Journal(in: directory, homes: [membership.home])
        if let nonce = membership.claim?.offer.nonce,
            journal.hasCommitted(
                nonce, of: DeviceKey(home: membership.home, device: membership.device))
        {
            try await committed(nonce)
        }
        let member = try member(membership, journal)
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            group.addTask { try await self.run(member, membership) }
            group.addTask { try await self.waitForFailSafe(of: membership, member) }
            var isRefused = false
            waiting: while let outcome = try await group.next() {
                switch outcome {
                case .ended: break waiting
                case .refused: isRefused = true
                case .stays: if isRefused || Task.isShuttingDownGracefully { break waiting }
                case .left: if isRefused { break waiting }
                }
            }
            group.cancelAll()
        }
    }

    private nonisolated func run(
        _ member: FleetMember, _ membership: BoxedMembership
    ) async throws -> Outcome {
        do throws(FleetError) {
            try await member.run()
            return .ended
        } catch {
            guard error.code != .journalUnusable else { throw error }
            settings.report(
                .refused(
                    device: identity.key, home: membership.name,
                    reason: error.message))
            return .refused
        }
    }

    private nonisolated func waitForFailSafe(
        of membership: BoxedMembership, _ member: FleetMember
    ) async throws -> Outcome {
        guard let deadline = membership.failSafe, let nonce = membership.claim?.offer.nonce else {
            return .stays
        }
        let delay = max(deadline.since(FleetClock.system().now.wire), .zero)
        do {
            try await cancelWhenGracefulShutdown { try await Task.sleep(for: delay) }
        } catch is CancellationError { return .stays }
        guard await member.leave(unlessCommitted: nonce) else {
            try await committed(nonce)
            return .stays
        }
        settings.report(
            .left(device: identity.key, home: membership.name))
        try await left()
        return .left
    }

    private func left() throws(BoxedDeviceError) { _ = try handle(.failSafe) }

    private func committed(_ nonce: ClaimNonce) throws(BoxedDeviceError) {
        _ = try handle(.committed(nonce))
    }

    private nonisolated func member(
        _ membership: BoxedMembership, _ journal: Journal
    ) throws -> FleetMember {
        let home = membership.name
        let key = identity.key
        let report = settings.report
        let planned = PlannedDevice(
            identity: identity.device(in: membership), of: DeviceGroup(name: "boxed"),
            seed: identity.seed,
            homeSeed: identity.seed, claim: membership.claim?.offer.nonce)
        return try FleetMember(
            device: planned, journal: journal, broker: broker(of: membership),
            protocolVersion: settings.protocolVersion,
            telemetryInterval: settings.telemetryInterval, eventLoop: eventLoop
        ) { notice in
            if case .ready = notice {
                report(.joined(device: key, home: home))
            } else {
                report(.other("\(notice)"))
            }
        }
    }

    private nonisolated func broker(of membership: BoxedMembership) throws -> FleetBroker {
        guard let claim = membership.claim else { return settings.ownBroker }
        let broker = try settings.broker(claim.offer.broker)
        guard let certificate = claim.certificate else { return broker }
        return broker.presenting(
            certificateFile: try store.keep("device.crt", certificate),
            keyFile: try store.keep("device.key", claim.keys.key),
            authorityFile: try claim.offer.authorities.map { text throws(BoxedDeviceError) in
                try store.keep("ca.crt", text)
            })
    }
}

/// What closes one access point. Each has its own: a stream ends with the task that waits for it.
private struct AccessPointEnding: Sendable {
    /// The device has joined a network.
    let unknown = LatestValue<Void>()
    /// The client knows that it has.
    let known = LatestValue<Void>()
}

extension LatestValue<Void> {
    /// Returns some time after the signal.
    fileprivate func wait(_ delay: Duration) async throws {
        for await _ in stream { return try await Task.sleep(for: delay) }
        // The task was cancelled: what closes the access point is something else.
        try Task.checkCancellation()
    }
}

/// A test wants the access point gone.
private struct AccessPointLost: Error {}

/// Something that one task tells another; only the newest is kept.
private struct LatestValue<Value: Sendable>: Sendable {
    let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func send(_ value: Value) { continuation.yield(value) }
}
