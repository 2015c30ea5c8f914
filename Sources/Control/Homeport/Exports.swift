// One import gives a program all that it names: devices, messages, channels, the picture of a home
// and commands. The rooms stay reachable by their own names.
@_exported public import Automation
@_exported public import Connectivity
@_exported public import Credentials
@_exported public import DeviceControl
@_exported public import DeviceDomain
@_exported public import DeviceIdentity
@_exported public import DeviceMessages
@_exported public import History
@_exported public import HomeModel
@_exported public import Keychain
@_exported public import MQTTClient
@_exported public import Provisioning
@_exported public import ProvisioningProtocol
