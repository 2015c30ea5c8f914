import BoxedDevices
import DeviceDomain
import DeviceMessages
import FlyingSocks
import Glibc

/// What a running fleet says of itself: a line of JSON for every boxed device whose access point is open.
enum ControlAnswer {
    /// The bytes that tell of some devices.
    static func bytes(of devices: [BoxedStatus]) -> [UInt8] {
        devices.flatMap { BoxedLine($0).json.utf8 + [UInt8(ascii: "\n")] }
    }

    /// Reads what a fleet says.
    /// - Returns: `nil` if nobody listens there.
    static func read(from path: String) throws -> [BoxedLine]? {
        let socket = try Socket(domain: AF_UNIX)
        defer { try? socket.close() }
        do {
            try socket.connect(to: .unix(path: path))
        } catch { return nil }
        var bytes: [UInt8] = []
        while true {
            do {
                bytes += try socket.read(atMost: 16_384)
            } catch SocketError.disconnected { break }
        }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { BoxedLine(json: Array($0)) }
    }
}

/// A boxed device with an open access point, as `status` shows it.
struct BoxedLine {
    /// `HOME/NAME`.
    let device: String
    /// The address of the access point.
    let accessPoint: String
    /// What the device's label says, as JSON.
    let qr: String

    init(_ status: BoxedStatus) {
        device = status.device
        accessPoint = status.accessPoint
        qr = status.label
    }

    /// Reads a line; `nil` if it is something else.
    init?(json: [UInt8]) {
        guard let members = try? JSONReader.read(json).object,
            let device = members["device"]?.string, let qr = members["qr"],
            let accessPoint = members["accessPoint"]?.string
        else { return nil }
        self.device = device
        self.accessPoint = accessPoint
        self.qr = String(decoding: JSONWriter.write(qr), as: UTF8.self)
    }

    /// The line.
    var json: String {
        var writer = JSONWriter()
        writer.writeObject { writer in
            writer.writeName("device")
            writer.write(device)
            writer.writeName("accessPoint")
            writer.write(accessPoint)
            writer.writeName("qr")
            if let label = try? JSONReader.read(Array(qr.utf8)) { writer.write(label) }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
