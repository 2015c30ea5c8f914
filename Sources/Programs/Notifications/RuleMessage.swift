internal import Automation
internal import DeviceDomain
internal import DeviceMessages
internal import Homeport

/// What is told over a way to the user.
struct RuleMessage: Hashable, Sendable {
    /// What the user calls the rule; `nil` where none says it.
    let rule: GivenName?
    /// What happened, for people.
    let event: String
    /// When what it tells took place (wire clock).
    let at: Timestamp
    /// The same and more, for programs.
    let json: [UInt8]

    /// What a rule has to say.
    init(_ notification: RuleNotification) {
        rule = notification.name
        event = notification.text
        at = notification.at
        let text = Self.text(event, of: rule)
        json = JSONWriter.write([
            "home": .string(notification.home.text), "rule": .string("\(notification.rule)"),
            "name": .string(notification.name.text),
            "device": notification.device.map { .string($0.text) } ?? .null,
            "at": .integer(notification.at.milliseconds), "text": .string(text),
        ])
    }

    /// That notifications were dropped.
    init(dropped: Int, in home: HomeID, at moment: Timestamp) {
        rule = nil
        event = "\(dropped) more were dropped in the last hour"
        at = moment
        json = JSONWriter.write([
            "home": .string(home.text), "rule": .null, "name": .null, "device": .null,
            "at": .integer(moment.milliseconds), "text": .string(event),
        ])
    }

    /// For people, in one line.
    var text: String { Self.text(event, of: rule) }

    private static func text(_ event: String, of rule: GivenName?) -> String {
        rule.map { "\($0): \(event)" } ?? event
    }
}
