public import Connectivity
public import DeviceDomain

extension MosquittoChannel {
    /// How many observations wait for a slow consumer before the oldest go: two full replays of
    /// ten thousand devices.
    private static let observationLimit = 60_000

    /// A live view, which also connects a channel that was never opened and waits for a broker
    /// that is away.
    public nonisolated func observe(
        _ home: HomeID, devices: Set<DeviceID>
    ) -> ObservationStream {
        let ticket = makeTicket()
        let (stream, source) = ObservationStream.make(
            .dropOldest(limit: Self.observationLimit)
        ) { [weak self] in
            self?.perform { $0.observers[ticket] = nil }
        }
        perform { $0.add(Observer(home: home, devices: devices, source: source), as: ticket) }
        return stream
    }

    private func add(_ observer: Observer, as ticket: Ticket) {
        if case .lost(let error, nil) = link, error.code == .closed {
            return observer.source.finish()
        }
        observers[ticket] = observer
        startIfNeeded()
        observer.source.send(.link(link))
        replay(to: observer)
        let scope = observer.devices.count == 1 ? observer.devices.first : nil
        let action = want(observer.home, scope.map(SurveyScope.device) ?? .everyDevice)
        if case .subscribe(let union) = action { subscribe(to: observer.home, union) }
    }

    /// What was heard before the observer came.
    private func replay(to observer: Observer) {
        guard let survey = homes[observer.home]?.survey else { return }
        for (device, known) in survey.devices.sorted(by: { $0.key < $1.key })
        where observer.wants(DeviceAddress(home: observer.home, device: device)) {
            for message in known.retained(of: device, in: observer.home) {
                observer.source.send(.message(message))
            }
        }
    }
}

extension SurveyedDevice {
    /// Its retained messages in the order in which a device sends them.
    func retained(of device: DeviceID, in home: HomeID) -> [IncomingMessage] {
        let contents: [IncomingMessage.Content?] = [
            description.map { .description($0) }, presence.map { .presence($0) },
            state.map { .state($0) },
        ]
        return contents.compactMap(\.self).map {
            IncomingMessage(home: home, device: device, content: $0)
        }
    }
}
