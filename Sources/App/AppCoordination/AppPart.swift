public import DeviceControlPresentation
public import ProvisioningPresentation
public import SharedPresentation
public import SimulationPresentation

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

    /// Giving devices faults that a fleet of this machine simulates.
    /// - Parameter home: what is known of the home, which another part keeps up to date.
    public static func simulation(
        _ service: any SimulationService, of home: HomeMemory
    ) -> AppPart {
        AppPart { _ in SimulationCoordinator(service, of: home) }
    }
}
