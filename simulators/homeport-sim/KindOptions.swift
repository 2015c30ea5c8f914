import ArgumentParser
import DeviceDomain
import DeviceSimulation
import Fleet

/// An option with the number of devices for each kind that can be simulated, such as `--pools 2`.
///
/// The parser finds options by reflection and gives their values by decoding. Both read the catalog here, so that
/// a new kind has its option without a line of its own.
struct KindOptions: ParsableArguments, CustomReflectable {
    private static let kinds = BehaviourCatalog.standard.kinds

    private let options: [Option<Int?>]

    init() { options = Self.kinds.map(Self.option) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        options = try Self.kinds.map {
            try container.decode(Option<Int?>.self, forKey: Name(stringValue: $0.group))
        }
    }

    var customMirror: Mirror {
        // The parser expects the names of wrapped properties.
        let children = zip(Self.kinds, options).map { kind, option -> Mirror.Child in
            (label: "_\(kind.group)", value: option)
        }
        return Mirror(self, children: children)
    }

    /// The numbers; `nil` where no option was given.
    var counts: DeviceCounts? {
        let given = zip(Self.kinds, options).compactMap { kind, option in
            option.wrappedValue.map { (kind.kind, $0) }
        }
        guard !given.isEmpty else { return nil }
        return DeviceCounts(Dictionary(given, uniquingKeysWith: { first, _ in first }))
    }

    /// The options as they are written, such as `--sweepers, --pools, --stores`.
    static var names: String { kinds.map { "--\($0.group)" }.joined(separator: ", ") }

    private static func option(for kind: SimulatedKind) -> Option<Int?> {
        let isLast = kind.group == kinds.last?.group
        let rule =
            isLast ? " When one of these options is given, the others default to 0." : ""
        return Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "\(kind.plural) in each home (default: \(kind.usualCount)).\(rule)",
                valueName: "N"),
            transform: OptionValues.count(in: 0...100_000))
    }

    /// The name of an option.
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
