import Homeport
import SharedPresentation
import TestSupport
import Testing

@testable import HomeportApp
@testable import ProvisioningPresentation

@MainActor @Suite(.timeLimit(.minutes(1))) struct ProvisioningWizardTests {
    private let service = ScriptedProvisioning()
    private let wizard: ProvisioningWizardViewModel

    init() { wizard = ProvisioningWizardViewModel(service) { _ in } }

    private func running(_ body: () async throws -> Void) async rethrows {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await wizard.run() }
            defer { group.cancelAll() }
            try await body()
        }
    }

    private func begin(password: String = "secret") {
        wizard.codeEntered("{}")
        wizard.networkEntered("attic", password: password)
    }

    @Test func aCodeThatCannotBeReadIsAskedForAgain() {
        wizard.codeEntered("nonsense")
        #expect(wizard.step == .code(problem: Failure("this is no setup code", .changeEntry)))
        wizard.codeEntered("{}")
        #expect(wizard.step == .network(accessPoint: "PROV_ab12cd", problem: nil))
    }

    @Test(arguments: [("", ""), (String(repeating: "é", count: 17), "")])
    func theNameOfANetworkHas32BytesAtMost(_ network: String, _ device: String) {
        wizard.codeEntered("{}")
        wizard.networkEntered(network, password: "", device: device)
        #expect(
            wizard.step == .network(accessPoint: "PROV_ab12cd", problem: .networkName))
    }

    @Test func theNameOfTheDeviceMustBeAnId() {
        wizard.codeEntered("{}")
        wizard.networkEntered("attic", password: "", device: "My Robot")
        #expect(wizard.step == .network(accessPoint: "PROV_ab12cd", problem: .deviceName))
    }

    @Test func theAddressOfAnAccessPointThatWasJoinedByHandIsChecked() async {
        wizard.codeEntered("{}")
        wizard.networkEntered("attic", password: "", address: "192.168.4.1")
        #expect(
            wizard.step
                == .network(
                    accessPoint: "PROV_ab12cd",
                    problem: .address(Failure("this is no address", .changeEntry))))
        #expect(wizard.address == "192.168.4.1")
        await running {
            wizard.networkEntered("attic", password: "", address: "http://192.168.4.1")
            var entries = service.entries.makeAsyncIterator()
            #expect(await entries.next()?.address == "http://192.168.4.1")
        }
    }

    @Test func theNetworksThatTheDeviceFindsAreShownAndWhatWasEnteredStays() async {
        await running {
            wizard.codeEntered("{}")
            wizard.searchButtonTapped(network: "cellar", device: "robo", address: "nonsense")
            #expect(
                wizard.step
                    == .network(
                        accessPoint: "PROV_ab12cd",
                        problem: .address(Failure("this is no address", .changeEntry))))
            wizard.searchButtonTapped(network: "cellar", device: "robo")
            #expect(wizard.step == .searching(accessPoint: "PROV_ab12cd"))
            let found = [FoundNetwork("attic", signalDBm: -40, isOpen: false)]
            service.next(.networks(.found(found)))
            await until { wizard.networks == found }
            #expect(wizard.step == .network(accessPoint: "PROV_ab12cd", problem: nil))
            #expect(wizard.network == "cellar" && wizard.deviceName == "robo")
            wizard.codeEntered("{}")
            #expect(wizard.networks == nil)
        }
    }

    @Test func aDeviceThatCannotBeAskedLeavesTheNameToTheUser() async {
        await running {
            wizard.codeEntered("{}")
            wizard.searchButtonTapped(network: "")
            let failure = ProvisioningFailure("it is away", .joinAccessPoint)
            service.next(.networks(.failed(failure)))
            await until {
                wizard.step == .network(accessPoint: "PROV_ab12cd", problem: .search(failure))
            }
            #expect(wizard.networks == nil)
        }
    }

    @Test func aSearchThatIsTakenBackLeadsToTheNetworkAgain() async {
        wizard.codeEntered("{}")
        wizard.searchButtonTapped(network: "")
        wizard.cancelButtonTapped()
        #expect(wizard.step == .network(accessPoint: "PROV_ab12cd", problem: nil))
        await running {
            wizard.networkEntered("attic", password: "p")
            service.next(.end(.cancelled))
            await until { wizard.step == .cancelled }
        }
    }

    /// A device that has answered when the user takes the search back is heard afterwards.
    @Test func whatComesOfASearchThatWasTakenBackIsNotShown() {
        let old = NetworkSearch.found([FoundNetwork("old", signalDBm: -40, isOpen: false)])
        let new = [FoundNetwork("new", signalDBm: -50, isOpen: true)]
        wizard.codeEntered("{}")
        wizard.searchButtonTapped(network: "")
        wizard.cancelButtonTapped()
        wizard.show(old, ofSearch: 1)
        #expect(wizard.step == .network(accessPoint: "PROV_ab12cd", problem: nil))
        wizard.searchButtonTapped(network: "")
        wizard.show(old, ofSearch: 1)
        #expect(wizard.step == .searching(accessPoint: "PROV_ab12cd"))
        #expect(wizard.networks == nil)
        wizard.show(.found(new), ofSearch: 2)
        #expect(wizard.step == .network(accessPoint: "PROV_ab12cd", problem: nil))
        #expect(wizard.networks == new)
    }

    @Test func everyStageOfAnAttemptIsShown() async throws {
        try await running {
            begin()
            for stage in ProvisioningPhase.allCases {
                service.next(.report(.phase(stage)))
                await until { wizard.step == .running(stage, notice: nil) }
            }
            let notice = ProvisioningFailure("the access point is away", .joinAccessPoint)
            service.next(.report(.notice(notice)))
            await until { wizard.step == .running(.finalizing, notice: notice) }
            let device = try DeviceID("sweeper-9")
            service.next(.end(.added(device)))
            await until { wizard.step == .added(device) }
        }
    }

    @Test func aRefusedPasswordIsAskedForBeforeTheNextAttempt() async throws {
        await running {
            begin(password: "wrong")
            service.next(.end(.failed(ProvisioningFailure("attic refused it", .retryPassword))))
            await until { if case .failed = wizard.step { true } else { false } }
            wizard.retryButtonTapped()
            #expect(
                wizard.step
                    == .network(
                        accessPoint: "PROV_ab12cd",
                        problem: .wrongPassword(
                            ProvisioningFailure("attic refused it", .retryPassword))))
            #expect(wizard.network == "attic")
            wizard.networkEntered("attic", password: "right")
            service.next(.end(.cancelled))
            await until { wizard.step == .cancelled }
            var entries = service.entries.makeAsyncIterator()
            #expect(await entries.next()?.password == "wrong")
            #expect(await entries.next()?.password == "right")
        }
    }

    @Test(arguments: UserAction.allCases)
    func everyAdviceLeadsOn(_ advice: UserAction) async {
        await running {
            begin()
            service.next(.end(.failed(ProvisioningFailure("it failed", advice))))
            await until { wizard.step == .failed(ProvisioningFailure("it failed", advice)) }
            wizard.retryButtonTapped()
            switch (advice, wizard.step) {
            case (.retryPassword, .network), (.moveCloser, .network), (.chooseName, .network),
                (.joinAccessPoint, .network), (.checkLabel, .code):
                break
            case (_, .running(nil, notice: nil)):
                let asking: [UserAction] = [
                    .retryPassword, .moveCloser, .chooseName, .joinAccessPoint, .checkLabel,
                ]
                #expect(!asking.contains(advice))
            default: Issue.record("\(advice) leads to \(wizard.step)")
            }
        }
    }

    @Test func cancellingTakesTheAttemptBack() async {
        await running {
            begin()
            service.next(.report(.phase(.scanning)))
            await until { wizard.step == .running(.scanning, notice: nil) }
            wizard.cancelButtonTapped()
            #expect(wizard.step == .cancelling)
            await until { wizard.step == .cancelled }
        }
    }

    @Test func cancellingBeforeTheAttemptHasBegunTakesItBackToo() async {
        begin()
        wizard.cancelButtonTapped()
        await running { await until { wizard.step == .cancelled } }
    }

    @Test func whatCannotBeTakenBackStaysInDoubt() async {
        await running {
            let doubt = ProvisioningFailure("the device does not answer", .runAgain)
            begin()
            service.next(.end(.undecided(doubt)))
            await until { wizard.step == .undecided(doubt) }
            wizard.retryButtonTapped()
            #expect(wizard.step == .running(nil, notice: nil))
        }
    }

    @Test func anEntryShowsNothingOfItsSecrets() {
        var entry = ProvisioningEntry()
        entry.code = "pop-of-the-label"
        entry.password = "wifi-password"
        for text in ["\(entry)", String(reflecting: entry)] {
            #expect(!text.contains("pop-of-the-label"))
            #expect(!text.contains("wifi-password"))
        }
    }

    @Test func whatTheLibrarySaysOfAnErrorIsKeptAsASentence() {
        let error = ProvisioningError(.wrongPassword, "it refused", .retryPassword)
        #expect(
            ProvisioningFailure(error)
                == ProvisioningFailure("It refused", .retryPassword, code: "WRONG_PASSWORD"))
    }
}
