import AppCoordination
import DeviceControlPresentation
import Foundation
import Homeport
import ProvisioningPresentation
import SharedPresentation
import TestSupport
import Testing

// What `docs/ios.md` shows. The samples with views need SwiftUI, which Linux does not have.

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
    @Test func theSampleWithoutAViewIsWhatIsCompiled() throws {
        let shown = try CodeSamples.blocks(in: "docs/ios.md")
        let compiled = try CodeSamples(catalogue: "docs", sources: "Tests/HomeportAppTests")
            .compiled
        #expect(compiled.count == 1 && shown.contains(compiled[0]))
    }
}
