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
