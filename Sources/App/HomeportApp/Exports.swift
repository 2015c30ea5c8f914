// One import gives an app all that its views name.
@_exported public import AppCoordination
@_exported public import DeviceControlPresentation
@_exported public import ProvisioningPresentation
@_exported public import SharedPresentation
@_exported public import SimulationPresentation
