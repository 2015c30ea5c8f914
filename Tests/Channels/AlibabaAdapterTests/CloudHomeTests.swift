import Alink
import Connectivity
import DeviceDomain
import Testing

@testable import AlibabaAdapter

@Suite struct CloudHomeTests {
    private func state(_ updates: [DeviceUpdate]) -> JSONObject? {
        for case .state(let report) in updates.map(\.content) { return report.members }
        return nil
    }

    @Test func anOlderReportIsIgnored() throws {
        var cloud = try Samples.cloudHome()
        let device = try Samples.name().deviceID
        #expect(cloud.report(["mode": Samples.timed(2, 900)], of: device).updates.isEmpty)
        #expect(cloud.report(["mode": Samples.timed(2, 1000)], of: device).taken.isEmpty)
        let newer = cloud.report(["mode": Samples.timed("2", 1001)], of: device)
        #expect(state(newer.updates) == ["mode": "turbo"])
    }

    @Test func aPresenceOfTheSameTimeAsTheKnownOneIsTaken() throws {
        var cloud = try Samples.cloudHome()
        let device = try Samples.name().deviceID
        let time = Timestamp(milliseconds: 500)
        let away = cloud.presence(.offline, of: device, at: time)
        #expect(away.map(\.content) == [.presence(Presence(.offline, at: time))])
        #expect(
            cloud.presence(.online, of: device, at: Timestamp(milliseconds: 499)).isEmpty)
    }

    @Test func afterCallsFailedTheListTellsEveryDeviceOnceMore() throws {
        var cloud = try Samples.cloudHome()
        let product = try Samples.product()
        let listing = ListedDevice(name: try Samples.name(), status: .online)
        let list = { (cloud: inout CloudHome, time: Int) in
            cloud.list(
                [listing], of: [product.key: product], at: Timestamp(milliseconds: time))
        }
        #expect(list(&cloud, 2000).isEmpty)
        cloud.linkLost()
        let again = list(&cloud, 3000)
        #expect(again == cloud.snapshot(of: .everyDevice) && again.count == 3)
        #expect(list(&cloud, 4000).isEmpty)
    }

    @Test func theSameValueIsNoNewsButANewerReport() throws {
        var cloud = try Samples.cloudHome()
        let again = cloud.report(["mode": Samples.timed(0, 2000)], of: try Samples.name().deviceID)
        #expect(again.updates.isEmpty)
        #expect(again.taken["mode"]?.value == "quiet")
    }

    @Test func whatTheModelDoesNotHaveIsIgnored() throws {
        var cloud = try Samples.cloudHome()
        let device = try Samples.name().deviceID
        let odd = cloud.report(
            ["other": Samples.timed(1, 2000), "power": Samples.timed("odd", 2000)], of: device)
        #expect(odd.updates.isEmpty && odd.taken.isEmpty)
        let event = cloud.event("Other", [:], of: device, at: Timestamp(milliseconds: 1))
        #expect(event == nil)
        #expect(cloud.counters.unusableMessages == 1)
        let stranger = try Samples.name("stranger").deviceID
        #expect(cloud.report(["mode": Samples.timed(2, 2000)], of: stranger).updates.isEmpty)
    }

    @Test func theNewestPresenceCounts() throws {
        var cloud = try Samples.cloudHome()
        let device = try Samples.name().deviceID
        let late = cloud.presence(.offline, of: device, at: Timestamp(milliseconds: 400))
        #expect(late.isEmpty)
        let new = cloud.presence(.offline, of: device, at: Timestamp(milliseconds: 600))
        #expect(new.count == 1)
        #expect(cloud.presence(.offline, of: device, at: Timestamp(milliseconds: 700)).isEmpty)
    }

    @Test func aDeviceThatIsNotListedAnyMoreIsRemoved() throws {
        var cloud = try Samples.cloudHome()
        let product = try Samples.product()
        let updates = cloud.list(
            [ListedDevice(name: try Samples.name("vac-2"), status: .disabled)],
            of: [product.key: product], at: Timestamp(milliseconds: 2000))
        #expect(updates.first?.content == .removed)
        #expect(cloud.devices.count == 1)
        #expect(cloud.devices.values.first?.presence == .offline)
    }

    @Test func aNewNicknameIsANewDescription() throws {
        var cloud = try Samples.cloudHome()
        let product = try Samples.product()
        let updates = cloud.list(
            [ListedDevice(name: try Samples.name(), nickname: "Robbie", status: .online)],
            of: [product.key: product], at: Timestamp(milliseconds: 2000))
        guard case .description(let profile)? = updates.first?.content else {
            Issue.record("no description: \(updates)")
            return
        }
        #expect(profile.name == "Robbie" && updates.count == 1)
    }

    @Test func anEventHasTheDetailsOfItsModel() throws {
        var cloud = try Samples.cloudHome()
        let update = cloud.event(
            "Stuck", ["side": 1, "more": 2], of: try Samples.name().deviceID,
            at: Timestamp(milliseconds: 7))
        guard case .event(let event)? = update?.content else {
            Issue.record("no event")
            return
        }
        #expect(event.name.text == "stuck" && event.detail == ["side": "right"])
    }

    @Test func aMessageCountsOnce() throws {
        var cloud = try Samples.cloudHome()
        let news = ["m1", "m1", "m2", "", ""].map { cloud.isNew(message: $0) }
        #expect(news == [true, false, true, true, true])
    }

    @Test func aListedDeviceHasNoSecret() throws {
        let entry: JSONValue = [
            "DeviceName": "vac-1", "DeviceSecret": "s3cret", "DeviceStatus": "UNACTIVE",
        ]
        let product = try Samples.name().product
        let device = try #require(ListedDevice(entry, of: product))
        #expect(!"\(device)".contains("s3cret"))
        #expect(device.status == .unactive)
        #expect(ListedDevice("text", of: product) == nil)
    }
}
