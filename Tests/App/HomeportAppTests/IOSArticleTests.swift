import AppCoordination
import DeviceControlPresentation
import Foundation
import Homeport
import ProvisioningPresentation
import SharedPresentation
import TestSupport
import Testing

// What `docs/ios.md` shows; its views are in `IOSViews.swift`.

private struct MyDoctor: DoctorService {
    func findings() async -> [DoctorFinding] { [] }
}

private final class MySettings: SettingsRepository {
    func load() -> AppSettings { AppSettings() }
    func save(_ settings: AppSettings) {}
}

// sample: the app
@MainActor
func makeApp(_ home: some HomeService, _ provisioning: some ProvisioningService) -> AppCoordinator {
    let services = DeviceControlServices(
        memory: HomeMemory(home), doctor: MyDoctor(), settings: MySettings(),
        clock: MachineClock(), calendar: .system)
    return AppCoordinator(
        [
            .deviceControl(services),
            .provisioning(provisioning),
        ],
        at: UserDefaults.standard.string(forKey: "path") ?? "/")
}
// end sample

@Suite struct IOSArticleTests {
    /// Every sample but the line of a manifest.
    @Test func theSamplesAreWhatIsCompiled() throws {
        let shown = try CodeSamples.blocks(in: "docs/ios.md")
            .map { $0.replacing("@main struct", with: "struct") }
            .filter { !$0.hasPrefix(".package(") }
        let compiled = try CodeSamples(catalogue: "docs", sources: "Tests/App/HomeportAppTests")
            .compiled
        #expect(shown.count == 3)
        #expect(Set(shown) == Set(compiled))
    }
}
