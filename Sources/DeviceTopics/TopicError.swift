package import DeviceDomain

/// A topic is none of this version of the protocol.
package struct TopicError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with it.
    package enum Code: Hashable, Sendable {
        /// It does not begin as the topics of this version do.
        case foreign
        /// It begins so, but there is no such topic.
        case unknown
        /// A level of it is not valid.
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
        case .unknown: "topic \(name) is none of the protocol"
        case .badIdentifier(let error): "topic \(name): \(error)"
        }
    }
}
