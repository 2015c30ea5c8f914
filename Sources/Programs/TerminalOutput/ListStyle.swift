package import DeviceDomain

/// In which form a list is printed, in which order, and with which columns.
package struct ListStyle: Hashable, Sendable {
    /// The form of a list.
    package enum Form: String, Hashable, Sendable, CaseIterable {
        /// A table that fits a terminal.
        case table
        /// A table with every column and exact times.
        case wide
        /// The name of each thing alone.
        case name
        /// One JSON object per line.
        case json
        /// A YAML sequence.
        case yaml
    }

    /// What comes first.
    struct Sorting: Hashable, Sendable {
        let column: Int
        let isDescending: Bool
    }

    /// The form.
    package let form: Form
    let sorting: Sorting?
    /// The columns that were asked for, by their places; `nil` for those that a form shows.
    let columns: [Int]?

    /// A form in the usual order.
    package init(_ form: Form) {
        self.form = form
        sorting = nil
        columns = nil
    }

    /// - Parameters:
    ///   - order: the title of a column, in upper or lower case; the greatest first with `-` before it.
    ///   - chosen: titles with commas between them.
    ///   - all: the columns of the list.
    /// - Throws: ``ListStyleError`` for a column that the list does not have, and for columns of a form without.
    package init(
        _ form: Form, sortedBy order: String?, columns chosen: String?, of all: [TextTable.Column]
    ) throws(ListStyleError) {
        self.form = form
        if let order {
            let isDescending = order.hasPrefix("-")
            let title = isDescending ? String(order.dropFirst()) : order
            sorting = Sorting(
                column: try Self.place(of: title, in: all), isDescending: isDescending)
        } else {
            sorting = nil
        }
        guard let chosen else {
            columns = nil
            return
        }
        guard form == .table || form == .wide else {
            throw ListStyleError(
                "--columns is for tables; -o \(form.rawValue) has all that is known")
        }
        var places: [Int] = []
        for title in chosen.split(separator: ",", omittingEmptySubsequences: false) {
            places.append(try Self.place(of: String(title), in: all))
        }
        columns = places
    }

    private static func place(
        of text: String, in all: [TextTable.Column]
    ) throws(ListStyleError) -> Int {
        let title = text.withoutOuterBlanks.uppercased()
        if let place = all.firstIndex(where: { $0.title == title }) { return place }
        let titles = all.map { $0.title.lowercased() }
        throw ListStyleError(
            "there is no column '\(text)'; the columns are \(titles.joined(separator: ", "))")
    }

    /// Whether it is a table.
    package var isTable: Bool { form == .table || form == .wide }

    /// Whether no column is left out where the terminal is narrow.
    var showsAll: Bool { form == .wide || columns != nil }
}

/// A list cannot be printed as it was asked for; the message says why.
package struct ListStyleError: Error, Hashable, Sendable {
    /// What is wrong and what can be written.
    package let message: String

    init(_ message: String) { self.message = message }
}

/// How a list tells times: on a terminal how long ago something was, else when.
package struct ListTimes: Sendable {
    /// When ages are counted to.
    package let now: Timestamp
    private let isRelative: Bool

    package init(_ style: ListStyle, in layout: Layout, now: Timestamp) {
        self.now = now
        isRelative = style.form == .table && layout.width != nil
    }

    /// A time, which is also the order of the cell.
    package func cell(
        _ moment: Timestamp?, _ tone: Tone = .plain, exactly text: (Timestamp) -> String
    ) -> TextTable.Cell {
        guard let moment else { return .absent }
        return TextTable.Cell(
            isRelative ? LocalTime.relative(moment, to: now) : text(moment), tone,
            order: Double(moment.milliseconds))
    }
}

extension LocalTime {
    /// How long ago something was or how soon it is, in one unit: `3 min ago`, `in 2 days`; a date where that is
    /// far away.
    package static func relative(_ moment: Timestamp, to now: Timestamp) -> String {
        let seconds = (now.milliseconds - moment.milliseconds) / 1_000
        let text: String
        switch abs(seconds) {
        case ..<5: return "now"
        case ..<60: text = "\(abs(seconds)) s"
        case ..<3_600: text = "\(abs(seconds) / 60) min"
        case ..<172_800: text = "\(abs(seconds) / 3_600) h"
        case ..<8_640_000: text = "\(abs(seconds) / 86_400) days"
        default: return date(moment)
        }
        return seconds > 0 ? "\(text) ago" : "in \(text)"
    }
}
