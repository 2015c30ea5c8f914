import Testing

@testable import Fleet

@Suite struct StandingsTests {
    @Test func countsFollowEveryChange() {
        var standings = Standings(brokers: [0, 0, 0])
        for index in 0..<2 {
            standings[index].link = .online
            standings[index].announced = .whole
        }
        standings[2].link = .abandoned
        #expect(standings.online == 2)
        #expect(standings.ready == 2)
        #expect(standings.abandoned == 1)
        standings[0].announced = []
        standings[1].link = .closed
        #expect(standings.online == 1)
        #expect(standings.ready == 0)
        #expect(standings.closed == 1)
    }

    @Test func aDeviceIsReadyOnceAllOfItsAnnouncementIsConfirmed() {
        var standings = Standings(brokers: [0])
        standings[0].link = .online
        for part in [
            DeviceStanding.Announcement.subscriptions, .description, .presence, .state,
        ] {
            #expect(standings.ready == 0)
            standings[0].announced.insert(part)
        }
        #expect(standings.ready == 1)
    }

    @Test func theDevicesOfEachBrokerAreCounted() {
        var standings = Standings(brokers: [0, 1, 0])
        standings[0].link = .online
        standings[0].announced = .whole
        standings[1].link = .online
        standings[1].announced = .whole
        #expect(!standings.figures(ofBrokerOf: 0).areAllReady)
        #expect(standings.figures(ofBrokerOf: 1).areAllReady)
        #expect(standings.figures(ofBrokerOf: 1).online == 1)
        standings[1].link = .offline
        #expect(standings.figures(ofBrokerOf: 1).online == 0)
        #expect(standings.figures(ofBrokerOf: 2).online == 1)
        #expect(standings.figures(ofBrokerOf: 2).devices == 2)
    }
}
