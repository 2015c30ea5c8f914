package import DeviceDomain

/// A topic is not part of this version of the protocol.
package struct TopicError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with it.
    package enum Code: Hashable, Sendable {
        /// It does not begin with the prefix of this version.
        case foreign
        /// It has the prefix, but there is no such topic.
        case unknown
        /// One of its levels is not valid.
        case badIdentifier(InvalidIdentifier)
    }

    /// What is wrong.
    package let code: Code
    /// The refused topic.
    package let topic: String

    package var description: String {
        let name = String(topic.prefix(200)).debugDescription
        return switch code {
        case .foreign: "topic \(name) does not begin with \(DeviceTopic.root)/ and a home"
        case .unknown: "\(name) is not a Homeport topic"
        case .badIdentifier(let error): "topic \(name): \(error)"
        }
    }
}
