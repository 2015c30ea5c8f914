/// An AccessKey of Alibaba Cloud. Prints as `<redacted>`.
public struct AccessKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Its id, which is in every request.
    let id: String
    /// Signs requests, and is never sent.
    let secret: String

    public init(id: String, secret: String) {
        self.id = id
        self.secret = secret
    }

    public var description: String { "<redacted>" }
    public var debugDescription: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A text of the other end as one line for messages, without what must not be shown.
struct ForeignText: Hashable, Sendable, CustomStringConvertible {
    /// Characters of a text at most.
    private static let longest = 300

    let description: String

    /// - Parameter secrets: texts that the other end may have sent back, also in percent-encoding.
    init(_ text: String, hiding secrets: [String]) {
        var shown = text
        for secret in secrets where !secret.isEmpty {
            for form in [
                secret, PlatformSignature.encode(secret),
                PlatformSignature.encode(PlatformSignature.encode(secret)),
            ] {
                shown = shown.split(separator: form, omittingEmptySubsequences: false)
                    .joined(separator: "<redacted>")
            }
        }
        let line = shown.split { $0.isNewline || $0.unicodeScalars.contains { $0.value < 0x20 } }
            .joined(separator: " ")
        description = line.count > Self.longest ? "\(line.prefix(Self.longest))…" : line
    }
}
