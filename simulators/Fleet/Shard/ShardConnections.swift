import DeviceDomain
import DeviceSimulation
import MQTTClient

/// How the devices of a shard are connected: the connection of each, how it stands with its broker, and what of all that
/// people are told.
///
/// A value that knows no homes, no journal and no clock. The shard passes on what happened on a connection, and does what
/// is returned. Devices are numbered as in the plan. No connection tells of an event from inside a call of it, so that
/// they can be begun and ended here.
struct ShardConnections {
    /// The devices with their connections.
    private(set) var slots: [DeviceSlot]
    /// How each stands with its broker.
    private(set) var standings: Standings
    /// What is heard of the brokers.
    private(set) var broker: BrokerReport
    /// What the devices say and hear in Alink; empty where they speak the Homeport protocol, so that these pay nothing.
    private var alink: [AlinkWire?]

    /// Devices without connections.
    /// - Parameter alink: what each of them says and hears in Alink; empty for the Homeport protocol.
    init(
        of slots: [DeviceSlot], on brokers: FleetBrokers, speaking version: FleetProtocolVersion,
        in alink: [AlinkWire?] = []
    ) {
        self.slots = slots
        self.alink = alink
        let homes = slots.map(\.wire.home)
        standings = Standings(brokers: homes.map(brokers.place))
        broker = BrokerReport(
            of: brokers, serving: homes, speaking: version, usingTriples: !alink.isEmpty)
    }

    /// How a device stands.
    subscript(index: Int) -> DeviceStanding { standings[index] }

    /// The connection over which a device publishes now; `nil` where the broker has accepted none.
    func online(_ index: Int) -> MQTTConnection? {
        standings[index].link == .online ? slots[index].connection : nil
    }

    // MARK: What is said

    /// Whether the devices speak Alink.
    var speakAlink: Bool { !alink.isEmpty }

    /// What a device says and hears in Alink; `nil` where it speaks the Homeport protocol.
    func alink(of index: Int) -> AlinkWire? { speakAlink ? alink[index] : nil }

    /// A device as people are told of it: with the name by which it logs in, where that is another one.
    private func name(of index: Int) -> String {
        let login = alink(of: index).map { " (\($0.loginName))" } ?? ""
        return "\(slots[index].key)\(login)"
    }

    /// The message of a publication; `nil` for what the dialect does not say.
    mutating func message(of publication: DevicePublication, from index: Int) -> MQTTMessage? {
        guard speakAlink else { return slots[index].wire.message(of: publication) }
        return alink[index]?.message(of: publication)
    }

    /// Reads a message to a device.
    /// - Parameter now: the wire time.
    mutating func read(
        _ message: MQTTMessage, for index: Int, at now: @autoclosure () -> Timestamp
    ) -> IncomingMessage {
        guard speakAlink else { return slots[index].wire.read(message) }
        return alink[index]?.read(message, at: now())
            ?? IncomingMessage("other", .dropped("foreign-topic"))
    }

    // MARK: A connection begins

    /// No device has come yet.
    mutating func awaitArrivals() {
        for index in slots.indices { standings[index].link = .absent }
    }

    /// A device gets a connection, which begins to connect.
    mutating func open(_ connection: MQTTConnection, of index: Int) {
        slots[index].connection = connection
        if let link = slots[index].link { connection.goOver(link) }
        connection.start()
    }

    /// The broker has accepted a device, which subscribes and announces itself now.
    /// - Parameter packetLimit: the largest packet that the broker accepts, bytes, where it said so.
    /// - Returns: whether the device was connected before.
    mutating func accepted(_ index: Int, packetLimit: UInt32?) -> Bool {
        broker.accepted(slots[index].wire.home, packetLimit)
        var standing = standings[index]
        let wasConnected = standing.epoch > 0
        standing.epoch += 1
        standing.sessions += 1
        standing.link = .online
        standing.announced = []
        standings[index] = standing
        return wasConnected
    }

    /// The broker has confirmed a part of what a device announces.
    /// - Parameter epoch: the connection on which it was announced.
    /// - Returns: what people are told where that makes all devices ready.
    mutating func confirmed(
        _ part: DeviceStanding.Announcement, of index: Int, _ epoch: Int
    ) -> FleetNotice? {
        var standing = standings[index]
        guard standing.epoch == epoch, !standing.isReady else { return nil }
        standing.announced.formUnion(part)
        if part == .description { standing.isDescribed = true }
        standings[index] = standing
        guard standing.isReady else { return nil }
        return broker.becameReady(index, of: slots[index].wire.home, standings)
    }

    /// What people are told some time after the start, where devices still try to connect for the first time.
    func lateStart() -> FleetNotice? {
        let isLate = slots.indices.contains {
            standings[$0].link == .offline && standings[$0].epoch == 0
        }
        guard isLate, standings.absent == 0 else { return nil }
        return broker.lateStart(standings.count - standings.online, of: standings.count)
    }

    // MARK: A connection is held, or ends for good

    /// Ends the connection of a device without a goodbye; none follows until ``release(_:)``.
    mutating func hold(_ index: Int) {
        switch standings[index].link {
        case .abandoned, .absent: return
        case .offline, .online, .held, .closed: break
        }
        abort(index)
        standings[index].link = .held
        standings[index].announced = []
    }

    /// Lets a device connect again whose connection was held.
    /// - Returns: whether it is to connect now.
    mutating func release(_ index: Int) -> Bool {
        guard standings[index].link == .held else { return false }
        standings[index].link = .offline
        return true
    }

    /// A device has started anew.
    mutating func restarted(_ index: Int) { standings[index].sessions = 0 }

    /// A device comes that was absent.
    /// - Parameter isHeld: whether a fault keeps it offline.
    /// - Returns: whether it is to connect now.
    mutating func arrived(_ index: Int, isHeld: Bool) -> Bool {
        guard standings[index].link == .absent else { return false }
        standings[index].link = isHeld ? .held : .offline
        return !isHeld
    }

    /// Whether no device has come yet.
    var areAllAbsent: Bool { standings.absent == standings.count }

    /// A device goes. Its connection may still send what it has.
    mutating func departed(_ index: Int) {
        standings[index].link = .absent
        standings[index].announced = []
    }

    private mutating func abort(_ index: Int) {
        slots[index].connection?.abort()
        slots[index].connection = nil
    }

    /// Gives the connection of a device up for good; the device goes on without.
    /// - Parameter isStarting: whether no device has reached the broker yet.
    mutating func abandon(
        _ index: Int, _ notice: FleetNotice, whileStarting isStarting: Bool
    ) -> ConnectionConsequence {
        standings[index].link = .abandoned
        abort(index)
        var consequence = ConnectionConsequence.telling(
            broker.troubles.notice("they stay offline", of: index, notice))
        if standings.abandoned == standings.count {
            consequence.failure = broker.refusal(atTheStart: isStarting)
        }
        return consequence
    }

    // MARK: The end of the run

    /// No device that has no connection gets one any more.
    mutating func endWaiting() {
        for index in slots.indices {
            switch standings[index].link {
            case .held, .absent: standings[index].link = .closed
            case .offline, .online, .abandoned, .closed: break
            }
        }
    }

    /// The connection of a device is closed.
    mutating func closed(_ index: Int) {
        slots[index].connection = nil
        if standings[index].link != .abandoned { standings[index].link = .closed }
    }

    /// Whether no device has a connection, nor will have one.
    var areAllClosed: Bool { standings.closed + standings.abandoned == standings.count }

    /// Ends all connections at once.
    mutating func abortAll() {
        for index in slots.indices {
            slots[index].intruder = .none
            abort(index)
        }
    }

    // MARK: The network

    /// Has the network of a device do what faults say.
    /// - Parameter seed: what random numbers derive from.
    mutating func shape(
        _ index: Int, _ faults: LinkFaults, seed: UInt64, on eventLoop: MQTTEventLoop
    ) {
        slots[index].shape(faults, seed: seed, on: eventLoop)
    }

    /// Lets another client have the id of a device.
    /// - Parameter configuration: that of the device.
    mutating func addIntruder(
        to index: Int, _ configuration: MQTTConfiguration, on eventLoop: MQTTEventLoop
    ) {
        slots[index].addIntruder(configuration, on: eventLoop)
    }

    /// Leaves the id of a device to it alone.
    mutating func removeIntruder(of index: Int) {
        slots[index].removeIntruder(epoch: standings[index].epoch)
    }
}

// What is wrong on a connection.
extension ShardConnections {
    /// Closes in a row after which a device leaves its id to another client. By the standard rule the waits
    /// between them grow, so that it takes some minutes.
    static let suspicionLimit = 10

    /// How a connection, or an attempt at one, ended.
    struct Loss {
        let error: MQTTError
        /// Whether the broker had accepted it.
        let wasOnline: Bool
        /// Whether another attempt follows.
        let retries: Bool
    }

    /// The connection of a device, or an attempt, ended.
    mutating func lost(_ index: Int, _ error: MQTTError, retries: Bool) -> Loss {
        let wasOnline = standings[index].link == .online
        standings[index].link = .offline
        standings[index].announced = []
        broker.failed(slots[index].wire.home, error, isFirst: standings[index].epoch == 0)
        return Loss(error: error, wasOnline: wasOnline, retries: retries)
    }

    /// What follows from that once the device knows it.
    /// - Parameters:
    ///   - isStarting: whether no device has reached the broker yet.
    ///   - size: the size of the device's description, bytes.
    mutating func consequence(
        of loss: Loss, for index: Int, whileStarting isStarting: Bool,
        describedIn size: @autoclosure () -> Int
    ) -> ConnectionConsequence {
        if isStarting, let unfit = broker.unfitness(loss.error.reasonCode) {
            return .failing(unfit)
        }
        if isOusted(index, by: loss) { return .none }
        switch loss.error.code {
        case .likelyDuplicateClientID where !standings[index].isDescribed:
            return endedAtDescription(index, size())
        case .likelyDuplicateClientID, .sessionTakenOver:
            return takenOver(index, retries: loss.retries, whileStarting: isStarting)
        default:
            if loss.retries { return .telling(outage(of: index, by: loss)) }
            let reason = broker.explained(loss.error)
            return abandon(
                index, .refused(device: name(of: index), reason: reason),
                whileStarting: isStarting)
        }
    }

    /// Whether a device lost its connection to the client that a fault let have its id. That is no reason to give
    /// up; a device that was told so tries again at the end.
    private mutating func isOusted(_ index: Int, by loss: Loss) -> Bool {
        let isTakeover =
            loss.error.code == .likelyDuplicateClientID || loss.error.code == .sessionTakenOver
        guard isTakeover, slots[index].intruder.mayHaveEnded(standings[index].epoch) else {
            return false
        }
        if !loss.retries, case .gone = slots[index].intruder { slots[index].connection?.start() }
        return true
    }

    /// The broker keeps ending the connection of a device, and has never confirmed its description, the
    /// largest packet that devices send. A broker of MQTT 3.1.1 cannot say that a packet is too large.
    private mutating func endedAtDescription(_ index: Int, _ size: Int) -> ConnectionConsequence {
        let error = tooSmallPackets(for: index, describedIn: size)
        guard standings.described > 0 else { return .failing(error) }
        return denied(index, "publish its description", "\(error)")
    }

    /// The error of a broker that accepts smaller packets only than a device's description takes.
    /// - Parameter size: that of the description, bytes.
    func tooSmallPackets(for index: Int, describedIn size: Int) -> FleetError {
        broker.tooSmallPackets(for: slots[index].key, size)
    }

    private mutating func takenOver(
        _ index: Int, retries: Bool, whileStarting isStarting: Bool
    ) -> ConnectionConsequence {
        standings[index].suspicions += 1
        let found = ConnectionConsequence.telling(foundAnotherClient(of: index))
        guard !retries || standings[index].suspicions >= Self.suspicionLimit else { return found }
        var consequence = abandon(
            index,
            .gaveUp(device: name(of: index), clientID: slots[index].wire.clientID),
            whileStarting: isStarting)
        consequence.notices = found.notices + consequence.notices
        return consequence
    }

    private mutating func foundAnotherClient(of index: Int) -> FleetNotice? {
        broker.tookOver(slots[index].wire.home)
        let name = name(of: index)
        return broker.troubles.notice(
            "another client seems to use their id", of: index,
            .duplicateClient(
                device: name, clientID: slots[index].wire.clientID))
    }

    /// A device has heard a presence of its own with the boot of another start.
    ///
    /// A device that had announced itself before it lost its connection was the last to say who it
    /// is, unless another client of its id has spoken since, or the broker its will.
    mutating func heardForeignPresence(_ index: Int) -> FleetNotice? {
        guard standings[index].sessions > 1, standings[index].isDescribed else { return nil }
        return foundAnotherClient(of: index)
    }

    /// Says once that a broker is gone, when the last connection to it is.
    private mutating func outage(of index: Int, by loss: Loss) -> FleetNotice? {
        guard standings.figures(ofBrokerOf: index).online == 0 else { return nil }
        return broker.lostAll(slots[index].wire.home, loss.error, wasOnline: loss.wasOnline)
    }

    /// Whether the connection of an attempt is still open.
    func isOpen(_ attempt: SubscriptionAttempt) -> Bool {
        let standing = standings[attempt.index]
        return standing.epoch == attempt.epoch && standing.link == .online
    }

    /// The broker does not allow a device something.
    mutating func denied(
        _ index: Int, _ what: String, _ reason: String
    ) -> ConnectionConsequence {
        let name = name(of: index)
        var consequence = ConnectionConsequence.telling(
            broker.troubles.notice(
                "the broker does not allow them to \(what)", of: index,
                .denied(device: name, what: what, reason: reason)))
        consequence.isDenial = true
        return consequence
    }

    /// Devices that were refused for good are a fault of the run, even if others went well.
    var refusalOfSome: FleetError? {
        let count = standings.abandoned
        guard count > 0 else { return nil }
        return FleetError(
            .devicesRefused, "\(count) of \(slots.count) devices could not stay connected")
    }
}
