import Homeport
import HomeportApp
import LocalServices

/// The running fleets of this user on this machine, asked over their control sockets.
struct LocalFleets: SimulationService {
    /// How long a fleet may take for an answer: a page waits for it.
    private static let answerLimit = Duration.seconds(2)

    /// A fleet, and the device that was asked for.
    private struct Match {
        let fleet: FleetSocket
        let device: ControlledDevice
    }

    private let meetingPoint = MeetingPoint()

    func status(of place: SimulatedPlace) async throws(Failure) -> SimulationStatus? {
        guard let match = try await match(place) else { return nil }
        let possible = try await ask(.faults, of: match.fleet).compactMap {
            reply -> PossibleFault? in
            if case .fault(let fault) = reply,
                fault.kinds.contains(DeviceKind(rawValue: match.device.kind))
            {
                fault
            } else {
                nil
            }
        }
        return SimulationStatus(
            process: Int(match.fleet.processID), faults: match.device.faults,
            possible: possible)
    }

    func inject(_ order: FaultOrder, into place: SimulatedPlace) async throws(Failure) {
        try await carryOut(
            .inject(
                target: "\(place)", fault: order.fault.rawValue,
                settings: order.settings.mapValues(JSONValue.number), lasting: order.lasting),
            on: place)
    }

    func end(_ fault: FaultName, of place: SimulatedPlace) async throws(Failure) {
        try await carryOut(.clear(target: "\(place)", fault: fault.rawValue), on: place)
    }

    private func carryOut(
        _ request: ControlRequest, on place: SimulatedPlace
    ) async throws(Failure) {
        guard let match = try await match(place) else {
            throw Failure(
                "no fleet on this machine simulates \(place) on \(place.broker) any more",
                .startFleet, code: "fleet")
        }
        _ = try await ask(request, of: match.fleet)
    }

    /// The fleet that simulates a device on its broker; of several, the oldest answers.
    private func match(_ place: SimulatedPlace) async throws(Failure) -> Match? {
        let broker = BrokerPlace(place.broker)
        for fleet in try sockets() {
            for case .device(let device) in try await find(place, in: fleet)
            where device.device == "\(place)"
                && device.broker.map({ BrokerPlace($0).isSame(as: broker) }) == true
            {
                return Match(fleet: fleet, device: device)
            }
        }
        return nil
    }

    private func sockets() throws(Failure) -> [FleetSocket] {
        do { return try meetingPoint.controlSockets() } catch {
            throw Failure(error.description, .tryAgain, code: "fleet")
        }
    }

    /// What a fleet says of a device; nothing if it has none of this name, or is gone.
    private func find(
        _ place: SimulatedPlace, in fleet: FleetSocket
    ) async throws(Failure) -> [ControlReply] {
        do {
            return try await Self.answer(to: .status(target: "\(place)"), of: fleet) ?? []
        } catch  where error.code == .refused {
            return []
        } catch {
            throw Failure(error.description, .tryAgain, code: "fleet")
        }
    }

    private func ask(
        _ request: ControlRequest, of fleet: FleetSocket
    ) async throws(Failure) -> [ControlReply] {
        do {
            if let replies = try await Self.answer(to: request, of: fleet) { return replies }
        } catch {
            throw Failure(
                error.description, error.code == .refused ? .changeEntry : .tryAgain, code: "fleet")
        }
        throw Failure(
            "the fleet of process \(fleet.processID) has just ended", .startFleet, code: "fleet")
    }

    private static func answer(
        to request: ControlRequest, of fleet: FleetSocket
    ) async throws(LocalServicesError) -> [ControlReply]? {
        try await blocking { () throws(LocalServicesError) in
            try ControlClient.ask(request, at: fleet.path, within: answerLimit)
        }
    }
}
