public import DeviceDomain

/// A command as an object: what is wanted, of a receiver of one type.
///
/// It does not say how it is sent; the ``CommandInvoker`` adds an id and times, and tracks it.
public protocol DeviceCommand: Sendable {
    /// The type of device that understands the command.
    associatedtype Receiver: Device
    /// The command's name.
    var name: CommandName { get }
    /// Its arguments, as the receiver's description declares them.
    var arguments: JSONObject { get }
}

extension CommandRequest: DeviceCommand {}
