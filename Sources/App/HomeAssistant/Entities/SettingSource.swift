import Homeport

/// The member of a device's state that reports the value of a setting.
struct SettingSource: Hashable, Sendable {
    /// The member.
    let member: String
    /// Whether it says the opposite of the setting.
    let isNegated: Bool

    /// Members of PROTOCOL section 5 whose names are not those of their settings.
    private static let exceptions: [CommandName: (Signal, isNegated: Bool)] = [
        .setSuctionLevel: (.fanSpeed, false),
        .setIslanding: (.gridConnected, true),
    ]

    /// Finds the member: the one that the device names, or by the names of setting and argument, as
    /// `chargeLimitPercent` of `set-charge-limit` with `percent`; `nil` if the device reports none of these.
    init?(_ specification: CommandSpecification, _ argument: String, _ seen: SeenMembers) {
        let command = specification.name
        if let member = specification.sets?.member {
            self.init(member: member, isNegated: false)
            return
        }
        if let (member, isNegated) = Self.exceptions[command] {
            self.init(member: member.rawValue, isNegated: isNegated)
            return
        }
        let words = command.rawValue.split(separator: "-").map(String.init)
        let stem = words.first == "set" ? Array(words.dropFirst()) : words
        let joined = Self.camelCased(stem)
        let candidates = [
            joined, joined + Self.camelCased([argument], isFirst: false),
            stem.joined(separator: "_"),
        ]
        guard let member = candidates.first(where: { seen.forms[$0] != nil }) else { return nil }
        self.init(member: member, isNegated: false)
    }

    private init(member: String, isNegated: Bool) {
        self.member = member
        self.isNegated = isNegated
    }

    private static func camelCased(_ words: [String], isFirst: Bool = true) -> String {
        words.enumerated().map { index, word in
            index == 0 && isFirst ? word : word.prefix(1).uppercased() + word.dropFirst()
        }.joined()
    }
}
