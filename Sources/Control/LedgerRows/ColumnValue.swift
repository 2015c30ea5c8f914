package import DeviceDomain
internal import DeviceMessages

/// What a column of a new or changed row gets, in whatever database.
package enum ColumnValue: Hashable, Sendable {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
    case bytes([UInt8])
    case flag(Bool)

    /// A whole number, or a null.
    package static func integer(ifAny number: Int?) -> ColumnValue { number.map(integer) ?? .null }

    /// A number, or a null.
    package static func real(ifAny number: Double?) -> ColumnValue { number.map(real) ?? .null }

    /// A text, or a null.
    package static func text(ifAny text: String?) -> ColumnValue {
        text.map(ColumnValue.text) ?? .null
    }

    /// A JSON object in its canonical form.
    package static func object(_ members: JSONObject) -> ColumnValue { .bytes(members.stored) }

    /// A moment in milliseconds.
    package static func moment(_ moment: Timestamp) -> ColumnValue { .integer(moment.milliseconds) }

    /// A moment in milliseconds, or a null.
    package static func moment(ifAny moment: Timestamp?) -> ColumnValue {
        integer(ifAny: moment?.milliseconds)
    }
}

extension JSONObject {
    /// In its canonical form, as columns have it.
    package var stored: [UInt8] { JSONWriter.write(.object(self)) }

    /// The JSON object that the bytes of a column are, else `nil`.
    package init?(stored bytes: [UInt8]) {
        // What was written has passed the limits of the wire already, and the detail of an event wraps it.
        let limits = JSONLimits(bytes: .max, depth: JSONLimits.deepest)
        guard let object = try? JSONReader.read(bytes, limits: limits).object else { return nil }
        self = object
    }
}
