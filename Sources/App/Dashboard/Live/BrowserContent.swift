internal import DeviceDomain
internal import DeviceMessages
internal import Markup

/// What one browser shows of a page, as far as the server knows.
struct BrowserContent: Sendable {
    private enum Knowledge {
        /// The content with this mark.
        case mark(String)
        /// This content.
        case content(LiveContent)
    }

    private var knowledge: Knowledge

    /// - Parameter mark: the mark of what it shows; anything else for unknown.
    init(mark: String) { knowledge = .mark(mark) }

    /// The event that brings it up to date; `nil` where it is.
    mutating func update(to content: LiveContent) -> String? {
        defer { knowledge = .content(content) }
        let changed: [LivePart]
        switch knowledge {
        case .mark(let mark):
            if mark == content.mark { return nil }
            guard content.hasShape(of: mark) else { return Self.reload }
            changed = content.parts
        case .content(let former):
            if former.mark == content.mark { return nil }
            guard former.shape == content.shape else { return Self.reload }
            let known = Dictionary(former.parts.map { ($0.id, $0.content) }) { first, _ in first }
            changed = content.parts.filter { known[$0.id] != $0.content }
        }
        return changed.isEmpty ? nil : Self.event(changed, content.mark)
    }

    /// The page must be read again: other parts belong to it.
    private static let reload = "event: reload\ndata: page\n\n"

    /// An event is one line of JSON, so that no content can end it early.
    private static func event(_ parts: [LivePart], _ mark: String) -> String {
        let members = JSONObject(parts.map { ($0.id, .string($0.content.markup)) }) { $1 }
        let data = String(decoding: JSONWriter.write(.object(members)), as: UTF8.self)
        return "id: \(mark)\nevent: parts\ndata: \(data)\n\n"
    }
}
