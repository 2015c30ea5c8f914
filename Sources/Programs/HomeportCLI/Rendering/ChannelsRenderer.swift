import Homeport
import TerminalOutput

/// The channels of a home, as `channels` prints them.
enum ChannelsRenderer {
    /// The columns of the list.
    static let columns: [TextTable.Column] = [
        .init("CHANNEL", .cut(minimum: 8)), .init("KIND"), .init("BROKER", .cut(minimum: 20)),
        .init("LINK"), .init("DEVICES", isNumeric: true),
        .init("TRAITS", .wrapped(minimum: 16), goesBelow: true),
        .init("REASON", .wrapped(minimum: 20), goesBelow: true),
    ]

    /// These channels.
    static func listing(of channels: [ChannelStatus]) -> Listing {
        Listing(
            columns,
            channels.map { channel in
                Listing.Row(channel.id.text) {
                    [
                        .init(channel.id.text), .init(channel.kind.rawValue),
                        .init(channel.address), .init(channel.link.word, channel.link.tone),
                        .init("\(channel.devices)", order: Double(channel.devices)),
                        .init(channel.orderedTraits.joined(separator: " ")), .init(channel.reason),
                    ]
                } object: {
                    channel.line
                }
            })
    }
}

extension ChannelStatus {
    fileprivate var orderedTraits: [String] {
        ChannelTrait.allCases.filter(traits.contains).map(\.rawValue)
    }

    fileprivate var line: JSONLine {
        var line = JSONLine()
        line.add("id", id.text)
        line.add("kind", kind.rawValue)
        line.add("broker", address)
        line.add("link", link.word)
        line.add("devices", devices)
        line.add("traits", .array(orderedTraits.map(JSONValue.string)))
        line.add("reason", reason)
        return line
    }
}
