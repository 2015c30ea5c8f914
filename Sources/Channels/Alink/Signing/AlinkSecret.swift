/// The secret of a device or of a product; it is never printed.
package struct AlinkSecret: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible
{
    /// The secret itself.
    package let text: String

    package init(_ text: String) { self.text = text }

    package var description: String { "<redacted>" }

    package var debugDescription: String { description }
}
