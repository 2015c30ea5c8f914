import Homeport

/// The channels of a home, as `channels` prints them.
struct ChannelsRenderer: Sendable {
    let format: OutputFormat

    /// The lines for these channels.
    func lines(for channels: [ChannelStatus]) -> [String] {
        switch format {
        case .human: table(of: channels).lines
        case .json: channels.map { $0.line.text }
        }
    }

    private func table(of channels: [ChannelStatus]) -> TextTable {
        var table = TextTable(titles: [
            "CHANNEL", "KIND", "BROKER", "LINK", "DEVICES", "TRAITS", "REASON",
        ])
        for channel in channels {
            table.add([
                channel.id.text, channel.kind.rawValue, channel.address, channel.link.word,
                "\(channel.devices)", channel.orderedTraits.joined(separator: " "),
                channel.reason,
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

extension LinkState {
    /// The state in a word, as JSON and tables say it.
    fileprivate var word: String {
        switch self {
        case .connecting: "connecting"
        case .connected, .limited: "connected"
        case .lost(_, retryIn: .some): "connecting"
        case .lost(_, retryIn: nil): "down"
        }
    }
}
