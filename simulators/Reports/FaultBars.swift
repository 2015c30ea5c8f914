import DeviceDomain
import Fleet
import Markup

/// Faults as bars over the time of the run: a row for each fault of a device, or for each fault where that would be
/// too many rows.
struct FaultBars {
    let report: FleetReport

    /// How many rows are drawn with a device each.
    private static let mostRows = 24
    /// How many devices of a bar are named.
    private static let mostNames = 12

    private struct Row {
        let name: String
        let place: String
        var bars: [FaultSpan]
    }

    var markup: HTML {
        let rows = rows
        guard !rows.isEmpty else { return .empty }
        let axis = TimeAxis(of: report)
        return element("figure", .class("faults")) {
            element("figcaption") { element("span", .class("name"), text: "Faults") }
            rows.map { row in
                element("div", .class("row")) {
                    element("span", .class("label")) {
                        element("b", text: row.name)
                        " \(row.place)"
                    }
                    element("span", .class("track")) {
                        Self.stacks(row.bars).map { bar($0, axis) }
                    }
                }
            }
            element("div", .class("row")) { axis.markup }
        }
    }

    private var rows: [Row] {
        let spans = report.faultSpans
        let single = grouped(spans) { "\($0.home)/\($0.device)" }
        guard single.count > Self.mostRows else { return single }
        return grouped(spans) { _ in "" }.map { row in
            let devices = Set(row.bars.map { "\($0.home)/\($0.device)" }).count
            return Row(
                name: row.name, place: "\(NumberText.grouped(devices)) devices", bars: row.bars)
        }
    }

    private func grouped(_ spans: [FaultSpan], by place: (FaultSpan) -> String) -> [Row] {
        var rows: [Row] = []
        var known: [String: Int] = [:]
        for span in spans {
            let name = "\(span.fault) \(place(span))"
            if let row = known[name] {
                rows[row].bars.append(span)
            } else {
                known[name] = rows.count
                rows.append(Row(name: span.fault, place: place(span), bars: [span]))
            }
        }
        return rows
    }

    /// Faults that lie on each other, because they begin and end together: they are one bar.
    private static func stacks(_ spans: [FaultSpan]) -> [[FaultSpan]] {
        var stacks: [[FaultSpan]] = []
        var known: [[Timestamp?]: Int] = [:]
        for span in spans {
            let ends = [span.from, span.until]
            if let place = known[ends] {
                stacks[place].append(span)
            } else {
                known[ends] = stacks.count
                stacks.append([span])
            }
        }
        return stacks
    }

    /// A bar for faults that begin and end together.
    private func bar(_ stack: [FaultSpan], _ axis: TimeAxis) -> HTML {
        guard let span = stack.first else { return .empty }
        let from = axis.share(of: span.from)
        let until = span.until.map(axis.share) ?? 1
        let end = span.until.map { "until \(NumberText.moment($0))" } ?? "to the end"
        let left = NumberText.short(from * 100)
        let width = NumberText.short(max(until - from, 0) * 100)
        return element(
            "i", .class(span.until == nil ? "bar open" : "bar"),
            .init("style", "left:\(left)%;width:\(width)%"),
            .init(
                "title",
                "\(span.fault) of \(Self.names(stack)) from \(NumberText.moment(span.from)) \(end)"
            )
        ) { "" }
    }

    /// One device by its name, several with their number and the first names.
    private static func names(_ stack: [FaultSpan]) -> String {
        let names = stack.map { "\($0.home)/\($0.device)" }
        guard names.count > 1 else { return names.joined() }
        let rest = names.count - mostNames
        return "\(NumberText.grouped(names.count)) devices ("
            + names.prefix(mostNames).joined(separator: ", ")
            + (rest > 0 ? " and \(rest) more)" : ")")
    }
}
