import Homeport
import TerminalOutput

extension JSONLine {
    /// Adds the members of a payload in the protocol's order, but for the version and `excluded`.
    mutating func addMembers<Message: PayloadMessage>(
        of message: Message, except excluded: Set<String> = []
    ) {
        guard let payload = try? JSONReader.read(message.payload).object else {
            preconditionFailure("a canonical payload is a JSON object")
        }
        for name in Message.shape.members.map(\.name) where name != "v" && !excluded.contains(name)
        {
            if let value = payload[name] { add(name, value) }
        }
    }
}
