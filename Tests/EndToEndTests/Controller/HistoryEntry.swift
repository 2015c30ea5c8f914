import DeviceDomain
import DeviceMessages
import Testing

/// A command as `homeport history --json` prints it.
struct HistoryEntry: Hashable {
    let id: CommandID
    let state: String

    init(_ line: String) throws {
        let members = try JSONReader.read(Array(line.utf8)).object
        id = try #require(members?["id"]?.string.flatMap(CommandID.init))
        state = try #require(members?["state"]?.string)
    }
}
