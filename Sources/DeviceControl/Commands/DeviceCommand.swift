public import DeviceDomain

/// A command as an object: what is wanted, of a receiver of one type.
///
/// It says nothing of how it is sent; the ``CommandInvoker`` gives it an id, times and a fate.
public protocol DeviceCommand: Sendable {
    /// The type of device that understands the command.
    associatedtype Receiver: Device
    /// The command's name.
    var name: CommandName { get }
    /// Its arguments, as the receiver's description declares them.
    var arguments: JSONObject { get }
}

extension CommandRequest: DeviceCommand {}

/// A command that a device describes itself, for any device: checked by its description, not by
/// the compiler.
public struct DescribedCommand: DeviceCommand {
    public typealias Receiver = GenericDevice

    /// The device that the command was checked for.
    public let receiver: GenericDevice
    public let name: CommandName
    public let arguments: JSONObject

    /// A command for a device.
    /// - Throws: ``CommandRefusal`` if the device's description has no such command or the
    ///   arguments do not fit it.
    public init(
        _ name: CommandName, arguments: JSONObject = [:], for device: any Device
    ) throws(CommandRefusal) {
        receiver = GenericDevice(profile: device.profile, report: device.report)
        let request = try receiver.request(name, arguments: arguments)
        self.name = request.name
        self.arguments = request.arguments
    }
}
