private import Basics
package import MQTTClient

/// Finds the private broker of a running fleet in the meeting point before each attempt to connect, so that a
/// fleet that was started again is found at its new port, and no password reaches a port whose fleet has ended.
///
/// Once the TCP connection is established it is asked again whether the fleet is alive, and whose socket listens
/// on the port. The second answer counts where the broker has ended and its fleet has not noticed, such as a
/// fleet that is stopped: a port that another user has taken gets no password. What remains are programs of the
/// same user.
package final class PrivateBrokerLocator: MQTTBrokerLocator {
    /// Which broker is meant.
    package enum Aim: Sendable {
        /// The one that was found in the meeting point, or whichever runs there once that one has ended.
        case announced(BrokerAnnouncement)
        /// A broker that somebody named. Where a fleet announces it, that fleet's.
        case named(MQTTBrokerAddress)
        /// The usual one, because nobody named one and no fleet ran. Whichever is there first is meant from
        /// then on: a fleet that was started, or a broker that has accepted a connection.
        case usual(MQTTBrokerAddress)
    }

    private struct State {
        var aim: Aim
        var latest: MQTTBrokerAddress
        /// The fleet whose broker was found last; `nil` as long as none was.
        var fleet: BrokerAnnouncement?
    }

    private let ownCredentials: MQTTCredentials?
    private let meetingPoint: MeetingPoint
    private let state: Guarded<State>

    /// Creates one.
    /// - Parameters:
    ///   - credentials: those that the user named; they are used in place of the announced ones.
    /// - Throws: `invalidArgument` for an announced URL that is no broker's.
    package init(
        _ aim: Aim, credentials: MQTTCredentials? = nil, at meetingPoint: MeetingPoint
    ) throws(MQTTError) {
        self.meetingPoint = meetingPoint
        ownCredentials = credentials
        switch aim {
        case .announced(let fleet):
            state = Guarded(
                State(aim: aim, latest: try MQTTBrokerAddress(url: fleet.url), fleet: fleet))
        case .named(let address), .usual(let address):
            state = Guarded(State(aim: aim, latest: address))
        }
    }

    /// Whether the address may change, because nobody named the broker.
    package var followsMeetingPoint: Bool {
        if case .announced = state.withLock({ $0.aim }) { true } else { false }
    }

    /// Whether neither a fleet nor a broker at the usual place was found yet.
    package var isUndecided: Bool {
        if case .usual = state.withLock({ $0.aim }) { true } else { false }
    }

    package var latest: MQTTBrokerAddress { state.withLock { $0.latest } }

    package var privateBrokers: [MQTTBrokerAddress] {
        let found = try? meetingPoint.announcements(of: BrokerAnnouncement.self)
        return (found ?? []).compactMap { try? MQTTBrokerAddress(url: $0.url) }
    }

    package func location() throws(MQTTError) -> MQTTBrokerLocation {
        let (aim, former) = state.withLock { ($0.aim, $0.fleet) }
        let fleet =
            switch aim {
            case .announced: try successor(of: former)
            case .named(let address): try fleet(at: address, former)
            case .usual: try onlyFleet()
            }
        guard let fleet else {
            return MQTTBrokerLocation(latest, credentials: ownCredentials)
        }
        let address = try MQTTBrokerAddress(url: fleet.url)
        let announced = try MQTTCredentials(
            username: fleet.credentials.username, password: fleet.credentials.password)
        state.withLock { state in
            if case .usual = state.aim { state.aim = .announced(fleet) }
            state.latest = address
            state.fleet = fleet
        }
        return MQTTBrokerLocation(address, credentials: ownCredentials ?? announced)
    }

    package func confirm(_ location: MQTTBrokerLocation) throws(MQTTError) {
        let fleet = state.withLock { state in
            if case .usual(let address) = state.aim { state.aim = .named(address) }
            return state.fleet
        }
        guard let fleet else { return }
        guard try living().contains(fleet) else { throw .ended(fleet) }
        switch LoopbackListener.owner(of: location.broker.port) {
        case .own: return
        case .nobody: throw .gone(fleet, "nobody listens there any more")
        case .stranger: throw .gone(fleet, "another user's program listens there")
        case .unknown: throw .gone(fleet, "/proc/self/net/tcp does not tell who listens there")
        }
    }

    /// The fleet that was found last, while it is alive; else the only one that is.
    private func successor(
        of former: BrokerAnnouncement?
    ) throws(MQTTError) -> BrokerAnnouncement? {
        if let former, try living().contains(former) { return former }
        guard let fleet = try onlyFleet() else { throw .noFleet }
        return fleet
    }

    private func onlyFleet() throws(MQTTError) -> BrokerAnnouncement? {
        let living = try living()
        guard living.count < 2 else { throw .several(living) }
        return living.first
    }

    /// A broker that was never announced is one like any other.
    private func fleet(
        at address: MQTTBrokerAddress, _ former: BrokerAnnouncement?
    ) throws(MQTTError) -> BrokerAnnouncement? {
        if let fleet = meetingPoint.broker(at: address.description) { return fleet }
        if let former { throw .ended(former) }
        return nil
    }

    private func living() throws(MQTTError) -> [BrokerAnnouncement] {
        do {
            return try meetingPoint.announcements(of: BrokerAnnouncement.self)
        } catch {
            throw .unreachable("cannot look for a private broker: \(error)")
        }
    }
}

extension MQTTError {
    fileprivate static func unreachable(_ message: String) -> MQTTError {
        MQTTError(.unreachable, message, isRetriable: true)
    }

    fileprivate static func ended(_ fleet: BrokerAnnouncement) -> MQTTError {
        .unreachable(
            "the homeport-sim with the private broker \(fleet.url) (process \(fleet.processID)) has ended, "
                + "so no password is sent there: start it again")
    }

    fileprivate static func gone(_ fleet: BrokerAnnouncement, _ reason: String) -> MQTTError {
        .unreachable(
            "\(fleet.url) is not known to be the broker of homeport-sim (process \(fleet.processID)), so no "
                + "password is sent there: \(reason); start homeport-sim again")
    }

    fileprivate static let noFleet = unreachable(
        "no homeport-sim with a private broker runs any more: start one, or name a broker with --broker"
    )

    fileprivate static func several(_ fleets: [BrokerAnnouncement]) -> MQTTError {
        let list = fleets.sorted { $0.processID < $1.processID }
            .map { "\($0.url) (process \($0.processID))" }
        return .unreachable(
            "several private brokers run: \(list.joined(separator: ", ")): choose one with --broker"
        )
    }
}
