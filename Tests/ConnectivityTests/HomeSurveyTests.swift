import Connectivity
import DeviceDomain
import DeviceMessages
import Testing

@Suite struct HomeSurveyTests {
    private let home: HomeID
    private let device: DeviceID
    private let boots: [BootID]

    init() throws {
        home = try HomeID("home-1")
        device = try DeviceID("robot-1")
        boots = [try BootID("b1"), try BootID("b2")]
    }

    @Test func aDeviceWithoutDescriptionIsListedAsGeneric() throws {
        var survey = HomeSurvey(home: home)
        survey.apply(presence(.online, boots[0]))
        let listed = try #require(survey.device(device) as? GenericDevice)
        #expect(listed.profile.kind.rawValue == "unknown")
        #expect(listed.connection == .online(boot: boots[0]))
    }

    @Test func theWillOfAnEarlierBootIsIgnored() throws {
        var survey = HomeSurvey(home: home)
        survey.apply(presence(.online, boots[1]))
        survey.apply(presence(.offline, boots[0]))
        #expect(survey.device(device)?.report.connection == .online(boot: boots[1]))
    }

    @Test func anOlderStateDoesNotReplaceANewerOne() {
        var survey = HomeSurvey(home: home)
        survey.apply(state(revision: 7, ["activity": "cleaning"]))
        survey.apply(state(revision: 6, ["activity": "docked"]))
        #expect(survey.device(device)?.report.revision == 7)
        #expect(survey.device(device)?.report.state["activity"] == "cleaning")
    }

    @Test func messagesOfAnotherHomeAreIgnored() throws {
        var survey = HomeSurvey(home: try HomeID("home-2"))
        survey.apply(presence(.online, boots[0]))
        #expect(survey.devices.isEmpty)
    }

    private func presence(_ status: PresenceReport.Status, _ boot: BootID) -> IncomingMessage {
        let report = PresenceReport(status: status, boot: boot, at: Timestamp(milliseconds: 1))
        return IncomingMessage(
            home: home, device: device,
            content: .presence(PresenceMessage(device: device, report: report)))
    }

    private func state(revision: Int, _ members: JSONObject) -> IncomingMessage {
        let state = StateMessage(
            device: device, boot: boots[0], revision: revision, at: Timestamp(milliseconds: 1),
            by: nil, state: members)
        return IncomingMessage(home: home, device: device, content: .state(state))
    }
}
