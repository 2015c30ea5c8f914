public import DeviceDomain
public import SharedPresentation

/// How the user left provisioning.
public enum WizardEnding: Hashable, Sendable {
    /// With a device that is in the home now.
    case added(DeviceID)
    /// Without one.
    case left
}

/// The part of the app that brings boxed devices into the home.
@MainActor
public final class ProvisioningCoordinator: AppModule {
    /// The wizard.
    public let wizard: ProvisioningWizardViewModel

    /// - Parameter whenDone: is told when the user leaves provisioning.
    public init(
        _ service: any ProvisioningService,
        whenDone: @escaping @MainActor (WizardEnding) -> Void
    ) {
        wizard = ProvisioningWizardViewModel(service, whenDone: whenDone)
    }

    public var entries: [Route] { [.provisioning] }

    public func owns(_ route: Route) -> Bool {
        switch route {
        case .provisioning: true
        case .home, .rooms, .device, .plan, .command, .energy, .history, .events, .queue,
            .schedules, .rules, .channels, .settings, .notFound:
            false
        }
    }

    public func run() async { await wizard.run() }
}
