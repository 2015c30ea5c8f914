import Homeport

/// The members that a device has reported so far, by name, with the form of their values.
struct SeenMembers: Hashable, Sendable {
    /// The form of a member's values.
    enum Form: Hashable, Sendable {
        /// It was null each time.
        case unknown
        case number
        case boolean
        case text
        /// An array of texts and numbers.
        case list
    }

    /// The members and their forms.
    private(set) var forms: [String: Form] = [:]
    /// Whether a sample of telemetry was among what was reported.
    private(set) var hasTelemetry = false

    init() {}

    init(_ report: DeviceReport) { add(report) }

    /// Adds what a report has. A member that is null keeps the form that it had.
    mutating func add(_ report: DeviceReport) {
        hasTelemetry = hasTelemetry || report.telemetry != nil
        for (name, value) in report.merged {
            guard let form = Self.form(of: value) else { continue }
            if form != .unknown || forms[name] == nil { forms[name] = form }
        }
    }

    /// The form of a value; `nil` for one that no entity can show.
    private static func form(of value: JSONValue) -> Form? {
        switch value {
        case .null: .unknown
        case .boolean: .boolean
        case .number: .number
        case .string: .text
        case .array(let items): items.allSatisfy { $0.text != nil } ? .list : nil
        case .object: nil
        }
    }
}

extension DeviceReport {
    /// State and telemetry together; telemetry is newer where both have a member.
    var merged: JSONObject { state.merging(telemetry ?? [:]) { $1 } }
}

extension JSONValue {
    /// A text or number as text; `nil` for anything else.
    var text: String? {
        if let string { return string }
        return number.map { _ in String(decoding: JSONWriter.write(self), as: UTF8.self) }
    }
}
