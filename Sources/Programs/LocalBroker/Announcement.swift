/// What a running program tells other programs of the same user: the content of one file of the
/// meeting point.
package protocol Announcement: Sendable {
    /// The folder of the meeting point with the entries of this kind.
    static var folder: String { get }
    /// The process that it is about.
    var processID: Int32 { get }

    /// Reads the content of a file, nil where it is not one of this kind.
    init?(json: [UInt8])
    /// The content of the file.
    var json: [UInt8] { get }
    /// The options with which mosquitto's clients connect to what is announced, one on each line; `nil`
    /// where there is no broker.
    var clientOptions: String? { get }
}

extension Announcement {
    package var clientOptions: String? { nil }
}
