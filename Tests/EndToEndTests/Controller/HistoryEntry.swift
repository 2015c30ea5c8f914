import DeviceDomain
import DeviceMessages
import Testing

/// A command as `homeport history --json` prints it.
struct HistoryEntry: Hashable {
    let id: CommandID
    let name: String
    let state: String
    /// How often it was handed to the link.
    let sends: Int

    init(_ line: String) throws {
        let members = try JSONReader.read(Array(line.utf8)).object
        id = try #require(members?["id"]?.string.flatMap(CommandID.init))
        name = try #require(members?["name"]?.string)
        sends = try #require(members?["sends"]?.integer)
        state = try #require(members?["state"]?.string)
    }
}
