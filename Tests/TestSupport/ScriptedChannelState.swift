import Connectivity
import DeviceDomain

/// Names a device across homes.
struct DeviceAddress: Hashable, Sendable {
    let home: HomeID
    let device: DeviceID
}

/// What a ``ScriptedChannel`` remembers.
struct ScriptedChannelState: Sendable {
    typealias HeldSend = CheckedContinuation<
        Result<DeliveryReceipt, CommunicationError>, Never
    >

    private struct Observer {
        let home: HomeID
        let devices: Set<DeviceID>
        let source: StreamSource<Observation>

        func heeds(_ message: IncomingMessage) -> Bool {
            message.home == home && (devices.isEmpty || devices.contains(message.device))
        }
    }

    var isConnected: Bool
    var answers: [ScriptedChannel.Answer] = []
    var held: [HeldSend] = []
    private var surveys: [HomeID: HomeSurvey] = [:]
    private var retained: [DeviceAddress: [IncomingMessage]] = [:]
    private var conversations: [DeviceAddress: StreamSource<IncomingMessage>] = [:]
    private var observers: [Observer] = []
    private var linkObservers: [StreamSource<LinkState>] = []

    init(isConnected: Bool) { self.isConnected = isConnected }

    private var linkState: LinkState { isConnected ? .connected : .connecting }

    mutating func nextAnswer() -> ScriptedChannel.Answer {
        answers.isEmpty ? .receipt(.confirmed) : answers.removeFirst()
    }

    mutating func takeHeld() -> [HeldSend] {
        defer { held = [] }
        return held
    }

    mutating func deliver(_ message: IncomingMessage) {
        let address = DeviceAddress(home: message.home, device: message.device)
        surveys[message.home, default: HomeSurvey(home: message.home, isComplete: true)]
            .apply(message)
        switch message.content {
        case .description, .presence, .state: retained[address, default: []].append(message)
        case .telemetry, .event, .ack: break
        }
        conversations[address]?.send(message)
        for observer in observers where observer.heeds(message) {
            observer.source.send(.message(message))
        }
    }

    func survey(_ home: HomeID, _ scope: SurveyScope) -> HomeSurvey {
        let whole = surveys[home] ?? HomeSurvey(home: home, isComplete: true)
        guard case .device(let device) = scope else { return whole }
        return HomeSurvey(
            home: home, devices: whole.devices.filter { $0.key == device }, isComplete: true)
    }

    mutating func connect(_ address: DeviceAddress, to source: StreamSource<IncomingMessage>) {
        conversations[address] = source
        for message in retained[address] ?? [] { source.send(message) }
    }

    mutating func disconnect(_ address: DeviceAddress) {
        conversations.removeValue(forKey: address)?.finish()
    }

    mutating func addObserver(
        _ source: StreamSource<Observation>, of home: HomeID, devices: Set<DeviceID>
    ) {
        let observer = Observer(home: home, devices: devices, source: source)
        observers.append(observer)
        source.send(.link(linkState))
        for message in retained.values.joined() where observer.heeds(message) {
            source.send(.message(message))
        }
    }

    mutating func addLinkObserver(_ source: StreamSource<LinkState>) {
        linkObservers.append(source)
        source.send(linkState)
    }

    mutating func loseLink(retryIn: Duration?) -> [HeldSend] {
        isConnected = false
        announce(.lost(.scriptedLoss, retryIn: retryIn))
        return takeHeld()
    }

    mutating func restoreLink() {
        isConnected = true
        announce(.connected)
    }

    private func announce(_ link: LinkState) {
        for observer in linkObservers { observer.send(link) }
        for observer in observers { observer.source.send(.link(link)) }
    }

    mutating func close() -> ScriptedChannelEnd {
        isConnected = false
        return ScriptedChannelEnd(
            conversations: Array(conversations.values), observers: observers.map(\.source),
            linkObservers: linkObservers, held: takeHeld())
    }
}

/// What is left to do outside the lock when a ``ScriptedChannel`` closes.
struct ScriptedChannelEnd {
    let conversations: [StreamSource<IncomingMessage>]
    let observers: [StreamSource<Observation>]
    let linkObservers: [StreamSource<LinkState>]
    let held: [ScriptedChannelState.HeldSend]

    func run() {
        for stream in conversations { stream.finish() }
        for stream in observers { stream.finish() }
        for stream in linkObservers { stream.finish() }
        let closed = CommunicationError(.closed, "the scripted channel was closed")
        for send in held { send.resume(returning: .failure(closed)) }
    }
}
