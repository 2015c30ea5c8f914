import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

/// The report of a run.
struct RunReport {
    let members: JSONObject

    /// Reads the file.
    init(_ name: String, in folder: TemporaryFolder) throws {
        members = try #require(
            try JSONReader.read(
                folder.contents(of: name), limits: JSONLimits(bytes: 1 << 20, depth: 16)
            ).object)
    }

    /// What each device made: `HOME/DEVICE`, hash and number of samples.
    var devices: [[String]] {
        (members["devices"]?.array ?? []).compactMap(\.object).map { device in
            [
                "\(device["home"]?.string ?? "")/\(device["device"]?.string ?? "")",
                device["hash"]?.string ?? "", "\(device["samples"]?.integer ?? -1)",
            ]
        }
    }
}
