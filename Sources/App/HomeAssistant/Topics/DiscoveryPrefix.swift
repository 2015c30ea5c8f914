/// The first levels of the topics below which Home Assistant looks for descriptions of entities, as in
/// its setting "discovery prefix".
public struct DiscoveryPrefix: Hashable, Sendable, CustomStringConvertible {
    /// The levels, without a slash at the end.
    public let text: String

    /// What Home Assistant uses unless it is told otherwise.
    public static let standard = DiscoveryPrefix(checked: "homeassistant")

    /// Checks a prefix.
    /// - Throws: ``HomeAssistantError`` `badPrefix` unless it is 1 to 200 bytes of topic levels that
    ///   are not empty and hold no wildcard, no control character and no `$` at the start.
    public init(_ text: String) throws(HomeAssistantError) {
        let levels = text.split(separator: "/", omittingEmptySubsequences: false)
        let isUsable =
            (1...200).contains(text.utf8.count) && !text.hasPrefix("$")
            && levels.allSatisfy { !$0.isEmpty }
            && text.unicodeScalars.allSatisfy {
                $0 != "+" && $0 != "#" && $0.properties.generalCategory != .control
            }
        guard isUsable else {
            throw HomeAssistantError(
                .badPrefix,
                "\(text.debugDescription) cannot be a discovery prefix: give topic levels without + "
                    + "and #, such as homeassistant")
        }
        self.init(checked: text)
    }

    private init(checked text: String) { self.text = text }

    public var description: String { text }
}
