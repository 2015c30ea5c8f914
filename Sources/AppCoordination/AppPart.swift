public import DeviceControlPresentation
public import ProvisioningPresentation
internal import SharedPresentation

/// A part of the app as it is registered, one line for each, where the app is put together.
public struct AppPart: Sendable {
    let make: @MainActor @Sendable (AppCoordinator) -> any AppModule

    /// Watching and commanding the devices of a home.
    public static func deviceControl(_ services: DeviceControlServices) -> AppPart {
        AppPart { app in
            DeviceControlCoordinator(services) { [weak app] in app?.deviceControlEnded($0) }
        }
    }

    /// Bringing boxed devices into the home.
    public static func provisioning(_ service: any ProvisioningService) -> AppPart {
        AppPart { app in
            ProvisioningCoordinator(service) { [weak app] in app?.provisioningEnded($0) }
        }
    }
}
