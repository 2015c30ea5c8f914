package import DeviceDomain
import DeviceMessages

/// What a running program tells other programs of the same user: the content of one file of the
/// meeting point.
package protocol Announcement: Sendable {
    /// The folder of the meeting point with the entries of this kind.
    static var folder: String { get }
    /// The process that it is about.
    var processID: Int32 { get }

    /// Reads the content of a file.
    /// - Throws: ``LocalServicesError`` where it is not one of this kind. Unknown members are ignored.
    init(_ members: LineMembers) throws(LocalServicesError)
    /// The content of the file, without the process.
    var members: JSONObject { get }
    /// The options with which mosquitto's clients connect to what is announced, one on each line; `nil`
    /// where there is no broker.
    var clientOptions: String? { get }
}

extension Announcement {
    package var clientOptions: String? { nil }

    init(json: [UInt8]) throws(LocalServicesError) { try self.init(LineMembers(json)) }

    /// The bytes of the file: one line.
    var json: [UInt8] {
        let whole = members.merging(["pid": .integer(Int(processID))]) { $1 }
        return JSONWriter.write(.object(whole)) + [UInt8(ascii: "\n")]
    }
}
