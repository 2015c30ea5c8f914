import DeviceDomain
import DeviceMessages
import DeviceSimulation
import TerminalOutput

/// The numbers of models as a list.
struct ModelsRenderer: Sendable {
    /// A number of a model.
    private struct Row: Sendable {
        let model: String
        let name: String
        let rating: Rating
        /// From where to where it can be given for devices of a scenario; `nil` where it cannot.
        let adjustable: ClosedRange<Double>?
    }

    private let rows: [Row]

    init(catalog: BehaviourCatalog) {
        let models = catalog.kinds.flatMap(\.models).flatMap { model in
            let adjustable = Dictionary(uniqueKeysWithValues: model.adjustable.map { ($0, $1) })
            return Self.rows(of: model.specification, model.model.rawValue) { adjustable[$0] }
        }
        let surroundings = BehaviourCatalog.surroundings.flatMap { name, specification in
            Self.rows(of: specification, name) { _ in nil }
        }
        rows = models + surroundings
    }

    private static func rows(
        of specification: any ModelSpecification, _ name: String,
        adjustable: (String) -> ClosedRange<Double>?
    ) -> [Row] {
        specification.ratings.map {
            Row(model: name, name: $0.name, rating: $0.rating, adjustable: adjustable($0.name))
        }
    }

    /// The columns of the list.
    static let columns: [TextTable.Column] = [
        .init("MODEL"), .init("PARAMETER"), .init("VALUE", isNumeric: true), .init("UNIT"),
        .init("SOURCE", .wrapped(minimum: 24), goesBelow: true),
    ]

    /// A row per number.
    var listing: Listing {
        Listing(
            Self.columns,
            rows.map { row in
                Listing.Row("\(row.model).\(row.name)") {
                    let source = row.rating.source
                    return [
                        .init(row.model), .init(row.name),
                        .init(text(of: row.rating), order: row.rating.value),
                        .init(row.rating.unit),
                        .init(source.isEstimate ? "estimate: \(source.text)" : source.text),
                    ]
                } object: {
                    line(for: row)
                }
            })
    }

    private func line(for row: Row) -> JSONLine {
        var line = JSONLine()
        line.add("model", row.model)
        line.add("parameter", row.name)
        line.add("value", .number(row.rating.value))
        line.add("unit", row.rating.unit)
        line.add("source", row.rating.source.text)
        line.add("estimate", .boolean(row.rating.source.isEstimate))
        if let range = row.rating.range { line.add("range", Self.bounds(range)) }
        if let adjustable = row.adjustable { line.add("adjustable", Self.bounds(adjustable)) }
        return line
    }

    private static func bounds(_ range: ClosedRange<Double>) -> JSONValue {
        [.number(range.lowerBound), .number(range.upperBound)]
    }

    /// Such as `24`, or `0.2…0.24`.
    private func text(of rating: Rating) -> String {
        guard let range = rating.range else { return text(of: rating.value) }
        return "\(text(of: range.lowerBound))…\(text(of: range.upperBound))"
    }

    private func text(of number: Double) -> String {
        String(decoding: JSONWriter.write(.number(number)), as: UTF8.self)
    }
}

extension Rating.Source {
    /// What it says.
    fileprivate var text: String {
        switch self {
        case .published(let text), .estimate(let text): text
        }
    }

    /// Whether it is an estimate.
    fileprivate var isEstimate: Bool {
        switch self {
        case .published: false
        case .estimate: true
        }
    }
}
