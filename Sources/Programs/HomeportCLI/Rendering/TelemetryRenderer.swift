import Homeport
import TerminalOutput

/// Prints the samples of a device.
struct TelemetryRenderer: Sendable {
    /// `nil` for lines that people read.
    let form: TelemetryForm?
    let device: DeviceID
    let home: HomeID
    /// The signals of the columns, in their order.
    private var names: [String] = []

    init(form: TelemetryForm?, device: DeviceID, home: HomeID) {
        self.form = form
        self.device = device
        self.home = home
    }

    /// Takes the names of signals in, for the columns.
    mutating func learn(_ samples: [RecordedSample]) {
        let new = samples.reduce(into: Set(names)) { $0.formUnion($1.values.keys) }
        if new.count > names.count { names = new.sorted() }
    }

    /// The first line of CSV.
    var header: String { (["at"] + names).map(Self.field).joined(separator: ",") }

    /// A sample; `nil` where it has nothing that the form can say.
    func line(for sample: RecordedSample) -> String? {
        switch form {
        case nil: "\(LocalTime.dateAndTime(sample.at))  \(sample.values.brief.printable)"
        case .json?: json(sample)
        case .csv?: row(sample)
        case .line?: point(sample)
        }
    }

    private func json(_ sample: RecordedSample) -> String {
        var line = JSONLine()
        line.add("at", sample.at.milliseconds)
        line.add("values", .object(sample.values))
        return line.text
    }

    // MARK: CSV (RFC 4180)

    private func row(_ sample: RecordedSample) -> String {
        let values = names.map { sample.values[$0].map(Self.cell) ?? "" }
        return ([UTCTime.text(sample.at)] + values).joined(separator: ",")
    }

    private static func cell(_ value: JSONValue) -> String {
        if case .string(let text) = value { return field(text) }
        return value.isNull ? "" : field(jsonText(value))
    }

    private static func field(_ text: String) -> String {
        let text = text.printable
        let isPlain = text.utf8.allSatisfy { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
        return isPlain ? text : "\"\(marked(text, "\"", with: "\""))\""
    }

    // MARK: Line protocol

    private func point(_ sample: RecordedSample) -> String? {
        let fields = sample.values.sorted { $0.key < $1.key }.compactMap { name, value in
            Self.fieldValue(value).map { "\(Self.marked(name, "\\,= ", with: "\\"))=\($0)" }
        }
        guard !fields.isEmpty else { return nil }
        // A number of nanoseconds; moments beyond the year 2262 have none.
        let (nanoseconds, isTooFar) = sample.at.milliseconds.multipliedReportingOverflow(
            by: 1_000_000)
        guard !isTooFar else { return nil }
        return
            "telemetry,home=\(home),device=\(device) \(fields.joined(separator: ",")) \(nanoseconds)"
    }

    private static func fieldValue(_ value: JSONValue) -> String? {
        switch value {
        case .null: nil
        case .boolean, .number: jsonText(value)
        case .string(let text): "\"\(marked(text, "\\\"", with: "\\"))\""
        case .array, .object: "\"\(marked(jsonText(value), "\\\"", with: "\\"))\""
        }
    }

    /// A text with a mark before each of these characters, printable, so that its line stays one. A combining
    /// character behind one does not hide it.
    private static func marked(
        _ text: String, _ special: String, with mark: Unicode.Scalar
    ) -> String {
        var marked = String.UnicodeScalarView()
        for scalar in text.printable.unicodeScalars {
            if special.unicodeScalars.contains(scalar) { marked.append(mark) }
            marked.append(scalar)
        }
        return String(marked)
    }

    private static func jsonText(_ value: JSONValue) -> String {
        String(decoding: JSONWriter.write(value), as: UTF8.self)
    }
}
