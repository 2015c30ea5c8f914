package import DeviceDomain

/// A reported property, as it is on the wire.
package struct PostedProperty: Hashable, Sendable {
    /// The property.
    package let identifier: String
    /// Its value.
    package let value: JSONValue
    /// When the device measured it, by its own clock; `nil` where it does not say.
    package let time: Timestamp?

    package init(_ identifier: String, _ value: JSONValue, time: Timestamp? = nil) {
        self.identifier = identifier
        self.value = value
        self.time = time
    }

    /// Reads the parameters of a post: `{"Power":1}`, or `{"Power":{"value":1,"time":1524448722000}}`.
    package static func read(_ parameters: JSONObject) -> [PostedProperty] {
        parameters.sorted { $0.key < $1.key }.map { identifier, value in
            guard let members = value.object, let inner = members["value"],
                members.keys.allSatisfy({ $0 == "value" || $0 == "time" })
            else { return PostedProperty(identifier, value) }
            return PostedProperty(identifier, inner, time: members["time"]?.timestamp)
        }
    }
}

/// A reported event, as it is on the wire.
package struct PostedEvent: Hashable, Sendable {
    /// Its details.
    package let value: JSONObject
    /// When it happened, by the device's clock; `nil` where it does not say.
    package let time: Timestamp?

    /// Reads the parameters of a post: the details, or `{"value":{…},"time":1524448722000}`.
    package init(_ parameters: JSONObject) {
        if let inner = parameters["value"]?.object {
            value = inner
            time = parameters["time"]?.timestamp
        } else {
            value = parameters
            time = nil
        }
    }
}

extension JSONValue {
    /// Milliseconds since 1970, also as a text of digits.
    fileprivate var timestamp: Timestamp? {
        (integer ?? string.flatMap { Int($0) }).map(Timestamp.init(milliseconds:))
    }
}
