import Homeport
import TerminalOutput

/// The channels of a home, as `channels` prints them.
struct ChannelsRenderer: Sendable {
    let format: OutputFormat
    var layout = Layout.plain

    /// The lines for these channels.
    func lines(for channels: [ChannelStatus]) -> [String] {
        switch format {
        case .human: table(of: channels).lines(in: layout)
        case .json: channels.map { $0.line.text }
        }
    }

    private func table(of channels: [ChannelStatus]) -> TextTable {
        var table = TextTable([
            .init("CHANNEL", .cut(minimum: 8)), .init("KIND"), .init("BROKER", .cut(minimum: 20)),
            .init("LINK"), .init("DEVICES", isNumeric: true),
            .init("TRAITS", .wrapped(minimum: 16), goesBelow: true),
            .init("REASON", .wrapped(minimum: 20), goesBelow: true),
        ])
        for channel in channels {
            table.add([
                .init(channel.id.text), .init(channel.kind.rawValue), .init(channel.address),
                .init(channel.link.word, channel.link.tone), .init("\(channel.devices)"),
                .init(channel.orderedTraits.joined(separator: " ")), .init(channel.reason),
            ])
        }
        return table
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
