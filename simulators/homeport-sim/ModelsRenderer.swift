import DeviceDomain
import DeviceMessages
import DeviceSimulation
import TerminalOutput

/// Writes the numbers of models as a table or as JSON.
struct ModelsRenderer {
    /// A number of a model.
    private struct Row {
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

    // MARK: JSON

    /// A line per number.
    var jsonLines: [String] {
        rows.map { row in
            String(decoding: JSONWriter.write(.object(members(of: row))), as: UTF8.self)
        }
    }

    private func members(of row: Row) -> JSONObject {
        var members: JSONObject = [
            "model": .string(row.model), "parameter": .string(row.name),
            "value": .number(row.rating.value), "unit": .string(row.rating.unit),
            "source": .string(row.rating.source.text),
            "estimate": .boolean(row.rating.source.isEstimate),
        ]
        if let range = row.rating.range {
            members["range"] = [.number(range.lowerBound), .number(range.upperBound)]
        }
        if let adjustable = row.adjustable {
            members["adjustable"] = [
                .number(adjustable.lowerBound), .number(adjustable.upperBound),
            ]
        }
        return members
    }

    // MARK: Text

    /// A table.
    func lines(in layout: Layout) -> [String] {
        var table = TextTable([
            .init("MODEL"), .init("PARAMETER"), .init("VALUE", isNumeric: true), .init("UNIT"),
            .init("SOURCE", .wrapped(minimum: 24), goesBelow: true),
        ])
        for row in rows {
            let source = row.rating.source
            table.add([
                .init(row.model), .init(row.name), .init(text(of: row.rating)),
                .init(row.rating.unit),
                .init(source.isEstimate ? "estimate: \(source.text)" : source.text),
            ])
        }
        return table.lines(in: layout)
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
