/// A conversation with a fleet failed; the description says why, and what to do.
package struct ControlError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether the fleet has understood the request, and refuses it.
    package let isRefusal: Bool

    package init(_ description: String, isRefusal: Bool = false) {
        self.description = description
        self.isRefusal = isRefusal
    }
}
