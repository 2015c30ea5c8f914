import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import HomeModel

@testable import Automation

/// An engine, the home that it is about, and clocks that a test moves.
struct RuleBench {
    let home = HomeID.literal("home-1")
    let channel = ChannelID.literal("mqtt")
    private(set) var model: HomeModel
    var engine: RuleEngine
    var now = Moment(wall: Timestamp(milliseconds: 1_764_000_000_000), elapsed: .seconds(1_000))
    private var ordinal = 0

    /// Rules with the numbers 1, 2 and so on.
    init(
        _ plans: RulePlan..., in calendar: LocalCalendar = LocalCalendar { _ in 0 },
        at place: GeographicPlace? = nil
    ) {
        model = HomeModel(home)
        let since = now.wall
        engine = RuleEngine(
            plans.enumerated().map { Rule(id: RuleID(number: $0 + 1), plan: $1, since: since) },
            in: calendar, at: place, from: now)
    }

    /// Lets a device of a model appear, which says nothing to a rule.
    mutating func announce(_ model: String, as device: DeviceID, in room: String? = nil) throws {
        let made = try DeviceFactory.standard.makeDevice(
            model: DeviceModel(rawValue: model), id: device, home: home)
        if let room {
            var labels = self.model.labels
            if labels.room(called: room) == nil { try labels.addRoom(GivenName(room)) }
            try labels.move(device, to: room)
            _ = self.model.learn(labels)
        }
        _ = hear(.description(made.profile), from: device)
    }

    mutating func hear(_ content: DeviceObservation.Content, from device: DeviceID) -> [RuleStep] {
        let observation = DeviceObservation(
            channel: channel, home: home, device: device, content: content)
        let changes = model.apply(observation, at: now.wall, elapsed: now.elapsed)
        return changes.flatMap { engine.hear($0, of: model.devices[device], at: now) }
    }

    /// A device reports a number.
    mutating func sample(
        _ member: Signal, _ value: Double, from device: DeviceID, age: Duration = .zero
    ) -> [RuleStep] {
        ordinal += 1
        return hear(
            .telemetry(
                TelemetryReport(
                    [member.rawValue: .number(value)], at: now.wall.advanced(by: .zero - age),
                    n: ordinal)), from: device)
    }

    /// A device reports an event.
    mutating func event(
        _ name: EventName, from device: DeviceID, age: Duration = .zero
    ) -> [RuleStep] {
        ordinal += 1
        return hear(
            .event(
                EventReport(
                    name, detail: ["n": .integer(ordinal)],
                    at: now.wall.advanced(by: .milliseconds(ordinal) - age))), from: device)
    }

    mutating func pass(_ time: Duration) -> [RuleStep] {
        now = Moment(wall: now.wall.advanced(by: time), elapsed: now.elapsed + time)
        let model = model
        return engine.look(at: now) { model }
    }

    /// Another process goes on with what was remembered.
    mutating func restart(
        remembering watches: [RuleWatchKey: RuleWatch],
        in calendar: LocalCalendar = LocalCalendar { _ in 0 }
    ) {
        engine = RuleEngine(
            engine.rules, remembering: watches, in: calendar, at: engine.place,
            from: Moment(wall: now.wall, elapsed: .zero))
        now.elapsed = .zero
    }
}

extension [RuleStep] {
    /// What is to be remembered after all of them.
    var remembered: [RuleWatchKey: RuleWatch] {
        reduce(into: [:]) { watches, step in
            switch step {
            case .run(_, let key, let watch), .remember(let key, let watch): watches[key] = watch
            case .stop: break
            }
        }
    }

    /// The rules that are stopped.
    var stopped: [RuleID] {
        flatMap { if case .stop(let rules, _) = $0 { rules } else { [RuleID]() } }
    }
}

extension RulePlan {
    /// A plan as the command line has it.
    init(
        _ when: String, hold: Duration = .zero, margin: Double = 0, scope: RuleScope = .everyDevice,
        if conditions: [String] = [], do actions: [RuleAction] = [.notify],
        oncePer: Duration? = nil, maxAge: Duration = usualMaxAge
    ) throws {
        try self.init(
            name: GivenName("test"), trigger: try RuleTrigger(when), hold: hold, margin: margin,
            scope: scope, conditions: try conditions.map { try DeviceCondition(reading: $0) },
            actions: actions, oncePer: oncePer, maxAge: maxAge)
    }
}
