import AppCoordination
import DeviceControlPresentation
import Foundation
import Homeport
import HomeportApp
import ProvisioningPresentation
import SharedPresentation

// The views of `docs/ios.md` over the stand-in for SwiftUI: compiled, and never run. A test program has
// a main function already, so `@main` is left out.

// sample: the scenes
struct HouseApp: App {
    @State private var app = makeApp(MyHome(), MyProvisioning())

    var body: some Scene {
        WindowGroup {
            RootView(app: app)
                .task { await app.run() }
                .onOpenURL { app.linkOpened($0.path()) }
                .onChange(of: app.route) {
                    UserDefaults.standard.set(app.route.path, forKey: "path")
                }
        }
    }
}

struct RootView: View {
    let app: AppCoordinator

    var body: some View {
        switch app.route {
        case .home, .rooms, .device, .plan, .command, .energy, .history, .events, .queue,
            .schedules, .rules, .channels, .settings:
            if let devices = app.deviceControl { DevicesView(route: app.route, devices: devices) }
        case .provisioning:
            if let provisioning = app.provisioning { WizardView(model: provisioning.wizard) }
        case .notFound(let path):
            ContentUnavailableView("No page at \(path.text)", systemImage: "map")
        }
    }
}
// end sample

// sample: a view
struct DeviceView: View {
    let model: DeviceViewModel

    var body: some View {
        switch model.state {
        case .loading: ProgressView()
        case .empty: ContentUnavailableView("Not known any more", systemImage: "questionmark")
        case .failed(let failure): FailureView(failure)
        case .content(let device):
            List {
                PresenceRow(device.summary.presence, device.freshness)
                ForEach(device.sections, id: \.self) { SectionView($0) }
                Button("Clean") { Task { await model.cleanButtonTapped() } }
                ForEach(model.forms, id: \.specification.name) { CommandFormView($0, model: model) }
                ForEach(device.commands) { TimelineRow($0.timeline) }
            }
            .task { await model.appeared() }
        }
    }
}
// end sample

// What the article leaves to the reader.

private typealias MyHome = LiveHomeService
private typealias MyProvisioning = ScriptedProvisioning

extension LiveHomeService {
    fileprivate init() { preconditionFailure("the samples are never run") }
}

struct DevicesView: PlainView {
    let route: Route
    let devices: DeviceControlCoordinator
}

struct WizardView: PlainView {
    let model: ProvisioningWizardViewModel
}

struct FailureView: PlainView {
    init(_ failure: Failure) {}
}

struct PresenceRow: PlainView {
    init(_ presence: DevicePresence, _ freshness: Freshness) {}
}

struct SectionView: PlainView {
    init(_ section: DeviceSection) {}
}

struct CommandFormView: PlainView {
    init(_ form: CommandForm, model: DeviceViewModel) {}
}

struct TimelineRow: PlainView {
    init(_ timeline: CommandTimeline) {}
}
