/// Finds the path to an offset in a JSON text. Only errors need it, so it walks the text again
/// instead of making every parse keep a path.
struct JSONLocator {
    private enum Step {
        case member(String)
        case item(Int)
    }

    private let bytes: [UInt8]
    private var index = 0
    private var steps: [Step] = []
    private var expectsName = false

    /// The path to the value that begins, or whose name begins, at `offset` or before it.
    static func path(to offset: Int, in bytes: [UInt8]) -> String {
        var locator = JSONLocator(bytes: bytes)
        locator.walk(upTo: min(offset, bytes.count - 1))
        return locator.path
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func walk(upTo offset: Int) {
        while index <= offset {
            switch bytes[index] {
            case ASCII.openBrace: enter(.member(""), expectsName: true)
            case ASCII.openBracket: enter(.item(0), expectsName: false)
            case ASCII.closeBrace, ASCII.closeBracket: _ = steps.popLast()
            case ASCII.comma: advance()
            case ASCII.quote: passString()
            default: break
            }
            index += 1
        }
    }

    private mutating func enter(_ step: Step, expectsName: Bool) {
        steps.append(step)
        self.expectsName = expectsName
    }

    private mutating func advance() {
        switch steps.popLast() {
        case .item(let position): enter(.item(position + 1), expectsName: false)
        case .member: enter(.member(""), expectsName: true)
        case nil: break
        }
    }

    /// Goes to the closing quote and takes the text as a name where one is expected.
    private mutating func passString() {
        let start = index + 1
        index = start
        while index < bytes.count, bytes[index] != ASCII.quote {
            index += bytes[index] == ASCII.backslash ? 2 : 1
        }
        guard expectsName, !steps.isEmpty else { return }
        let end = min(index, bytes.count)
        steps[steps.count - 1] = .member(String(decoding: bytes[start..<end], as: UTF8.self))
        expectsName = false
    }

    private var path: String {
        var path = ""
        for step in steps {
            switch step {
            case .item(let position): path += "[\(position)]"
            case .member("") where path.isEmpty: break
            case .member(let name): path += path.isEmpty ? name : ".\(name)"
            }
        }
        return path
    }
}
