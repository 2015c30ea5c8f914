internal import Automation
internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import History
internal import HomeModel

/// One device in the recorded past, and a rule that hears of it what was recorded.
struct RehearsedDevice {
    private let channel: ChannelID
    private let device: DeviceID
    private var model: HomeModel
    private var engine: RuleEngine
    private let start: Timestamp
    private(set) var runs: [RuleRun] = []

    init(
        _ device: RememberedDevice, in home: HomeID, _ labels: HomeLabels, _ rule: Rule,
        _ calendar: LocalCalendar, at place: GeographicPlace?, from start: Timestamp
    ) {
        channel = device.channel
        self.device = device.profile.id
        self.start = start
        model = HomeModel(home)
        _ = model.learn(labels)
        model.remember(device)
        let begun = Rule(id: rule.id, plan: rule.plan, since: start)
        engine = RuleEngine(
            [begun], in: calendar, at: place, from: Moment(wall: start, elapsed: .zero))
    }

    /// Whether the rule is about the device.
    func isMeant(by rule: Rule) -> Bool {
        model.devices[device].map(rule.plan.scope.contains) ?? false
    }

    mutating func hear(_ sample: RecordedSample) {
        hear(
            .telemetry(
                TelemetryReport(sample.values, boot: sample.boot, at: sample.at, n: sample.n)),
            at: sample.at)
    }

    mutating func hear(_ fact: RecordedFact) {
        switch fact.kind {
        case .presence:
            guard let status = PresenceReport.Status(rawValue: fact.name) else { return }
            hear(.presence(Presence(status)), at: fact.at)
        case .event:
            guard let name = EventName(rawValue: fact.name) else { return }
            hear(
                .event(
                    EventReport(name, id: EventID(fact.id), detail: fact.detail, at: fact.at)),
                at: fact.at)
        }
    }

    private mutating func hear(_ content: DeviceObservation.Content, at moment: Timestamp) {
        pass(until: moment)
        let now = Moment(wall: moment, elapsed: moment.since(start))
        let observation = DeviceObservation(
            channel: channel, home: model.home, device: device, content: content)
        for change in model.apply(observation, at: moment, elapsed: now.elapsed) {
            note(engine.hear(change, of: model.devices[device], at: now))
        }
    }

    /// Lets time pass, in which holds end and times come.
    mutating func pass(until moment: Timestamp) {
        let end = Moment(wall: moment, elapsed: moment.since(start))
        while let next = engine.nextLook(after: end), next < end.elapsed {
            let now = Moment(wall: start.advanced(by: next), elapsed: next)
            let model = model
            note(engine.look(at: now) { model })
        }
    }

    private mutating func note(_ steps: [RuleStep]) {
        runs += steps.runs
    }
}
