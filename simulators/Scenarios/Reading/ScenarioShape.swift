import DeviceDomain
import DeviceSimulation

/// The members that a scenario can have: what the reader knows, and what the schema says.
package struct ScenarioShape: Sendable {
    /// What a member is.
    enum Form: Sendable {
        case text
        /// One of a few texts.
        case choice([String])
        /// A duration such as `1h30m`.
        case time
        /// An instant, ISO 8601.
        case instant
        case truth
        case whole(ClosedRange<Int>)
        case number(ClosedRange<Double>)
        /// A number, or a text of another form.
        case speed
        /// A number, or the least and the most.
        case parameters
        /// Members of any names, with JSON values.
        case values
        /// Members of these names.
        case members(ScenarioShape)
        /// A list of such mappings.
        case list(ScenarioShape)
        /// A mapping of any names to such mappings.
        case named(ScenarioShape)
    }

    /// A member.
    struct Member: Sendable {
        let name: String
        let form: Form
        let documentation: String
        var isRequired = false

        init(_ name: String, _ form: Form, _ documentation: String, required: Bool = false) {
            self.name = name
            self.form = form
            self.documentation = documentation
            isRequired = required
        }

        /// What it is, as a part of a sentence, such as `how many each home has`.
        var clause: String {
            let sentence = documentation.prefix { $0 != "." }
            return sentence.prefix(1).lowercased() + sentence.dropFirst()
        }
    }

    let members: [Member]

    /// Their names.
    var names: [String] { members.map(\.name) }
}

extension ScenarioShape {
    /// How many homes there can be.
    static let homeCounts = 1...100_000
    /// How many devices a group can have in each home.
    static let groupCounts = 0...100_000
    /// The most devices of a run.
    static let mostDevices = 1_000_000
    /// The most events that one item of a scenario may make: a schedule is made before the run.
    static let mostEvents = 1_000_000.0
    /// How many devices may come or go in a second.
    static let flowRates = 0.001...100_000
    /// How often a fault may befall a device in an hour.
    static let faultRates = 0.000_001...3600
    /// From one time a command is sent to the next, at least.
    static let shortestPeriod = Duration.milliseconds(10)
    /// World time between samples of a device.
    static let telemetryIntervals = Duration.milliseconds(100) ... .seconds(86_400)

    /// A whole scenario.
    package static let scenario = ScenarioShape(members: [
        Member("name", .text, "What people call it."),
        Member(
            "seed", .whole(0...JSONValue.largestInteger), "What everything random derives from."),
        Member("epoch", .instant, "Where the world clock starts; now where it is missing."),
        Member(
            "duration", .time,
            "How long it takes, in world time; where it is missing, as long as its stages."),
        Member("speed", .speed, "World seconds per second, 0.01 to 1000, or max without a broker."),
        Member("homes", .whole(homeCounts), "How many homes there are, home-1 and so on."),
        Member(
            "regions", .whole(homeCounts),
            "How many regions of weather there are; home k is in region ((k - 1) mod regions) + 1."),
        Member(
            "devices", .named(group), "The devices of each home, by the name of their group.",
            required: true),
        Member("stages", .list(stage), "How devices come and go, one stage after the other."),
        Member("commands", .list(command), "What is sent to devices."),
        Member("faults", .list(fault), "What befalls them."),
        Member("assertions", .list(assertion), "What must hold."),
    ])

    /// Devices of each home.
    static let group = ScenarioShape(members: [
        Member(
            "kind", .choice(BehaviourCatalog.standard.kinds.map(\.kind.rawValue)), "Their kind.",
            required: true),
        Member(
            "model", .choice(BehaviourCatalog.standard.models.map(\.rawValue)),
            "Their model; the models of the kind in turns where it is missing."),
        Member("count", .whole(groupCounts), "How many each home has.", required: true),
        Member("telemetry-interval", .time, "World time between samples of one device."),
        Member(
            "reconnect", .text,
            "How they connect again: fixed:T, backoff:FIRST:CAP or jitter:FIRST:CAP."),
        Member("access-point", .text, "The access point over which they connect."),
        Member("feeder", .text, "The feeder of the street that their home hangs on."),
        Member("buffer-offline", .truth, "Whether they keep samples while they are offline."),
        Member(
            "parameters", .parameters,
            "Numbers of the model that they have instead, as 'homeport-sim models' names them."),
    ])

    /// A stage.
    static let stage = ScenarioShape(members: [
        Member("name", .text, "What it is called.", required: true),
        Member("for", .time, "How long it takes.", required: true),
        Member("connect", .members(flow), "How devices come."),
        Member("disconnect", .members(flow), "How devices go."),
    ])

    /// How devices come or go.
    static let flow = ScenarioShape(members: [
        Member("per-second", .number(flowRates), "So many in a second of the world."),
        Member("within", .time, "All of them, spread evenly over this time."),
    ])

    /// A command.
    static let command = ScenarioShape(members: [
        Member("at", .time, "When it is sent first.", required: true),
        Member("every", .time, "From one time to the next; once where it is missing."),
        Member("jitter", .time, "How much later each is sent at most, drawn for each device."),
        Member("until", .time, "When it is no longer sent; the end where it is missing."),
        Member("to", .text, "To which devices.", required: true),
        Member("name", .text, "Its name.", required: true),
        Member("arguments", .values, "Its arguments."),
        Member(
            "lane", .choice(CommandLane.allCases.map(\.rawValue)),
            "The lane that it is sent on; the one that the device declares where it is missing."),
    ])

    /// A fault.
    static let fault = ScenarioShape(members: [
        Member(
            "fault", .choice(SimulatedFault.allCases.map(\.rawValue)), "What it is.",
            required: true),
        Member("on", .text, "Which devices may have it.", required: true),
        Member("share", .number(0...1), "Which part of them has it, chosen by the seed."),
        Member("at", .time, "When it begins."),
        Member("rate", .number(faultRates), "How often, per device and hour, at random."),
        Member("for", .time, "How long it lasts; to the end where it is missing."),
        Member("set", .values, "Its parameters."),
    ])

    /// An assertion.
    static let assertion = ScenarioShape(members: [
        Member("name", .text, "What it is called.", required: true),
        Member(
            "metric", .choice(Metric.allCases.map(\.rawValue)), "What it is about.", required: true),
        Member("on", .text, "Of which devices; all where it is missing."),
        Member("at", .time, "When it is looked at; at the end where it is missing."),
        Member("from", .time, "Where a stretch of time begins."),
        Member("to", .time, "Where a stretch of time ends."),
        Member("min", .number(0...1e12), "The least that is right."),
        Member("max", .number(0...1e12), "The most that is right."),
    ])
}
