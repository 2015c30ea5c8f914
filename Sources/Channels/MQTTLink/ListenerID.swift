/// Identifies one observer or conversation of a channel.
package struct ListenerID: Hashable, Sendable {
    private let number: UInt64

    /// A new id on a channel's link.
    package init(on link: MQTTLink) { number = link.makeNumber() }
}
