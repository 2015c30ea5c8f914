import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// The parts of a pool robot, each by itself.
@Suite struct PoolPartsTests {
    private func motors(
        areOn: Bool = true, at place: PoolPlace = .water, hasLostTrack: Bool = false,
        _ level: PoolRobot.PowerLevel = .normal, clogged percent: Double = 0
    ) throws -> PoolMotors {
        let pool = try PoolBench()
        var filter = PoolFilter()
        filter.restore(percent: percent, pool.behaviour.site.ratings.filter)
        return PoolMotors(
            areOn: areOn, at: place, pool.behaviour.drive, hasLostTrack: hasLostTrack,
            level: level, filter: filter)
    }

    @Test func theCurrentFollowsLoadLevelAndFilter() throws {
        let pump = PoolSpecification.p1.pump
        #expect(try motors(areOn: false).currentA(pump) == 0)
        let normal = try motors().currentA(pump)
        #expect((normal - 2.3).magnitude < 1e-9, "Dolphin: 2.3 A with its drive")
        #expect(try motors(.eco).currentA(pump) < normal)
        #expect(try motors(.boost).currentA(pump) > normal)
        let dirty = try motors(clogged: 90).currentA(pump)
        #expect(dirty > normal && dirty < 1.2 * normal)
        #expect(try motors(clogged: 100).pumpShare(pump) > 1.9, "dirt passes the filter")
        let air = try motors(at: .deck(seconds: 0))
        #expect(air.load == .free && air.pumpShare(pump) == pump.airShare.value)
    }

    @Test func aLostTrackHasNoLoad() throws {
        let motors = try motors(hasLostTrack: true)
        #expect(motors.load == .free && motors.tracks == .free)
        #expect(try self.motors(at: .deck(seconds: 0), hasLostTrack: true).tracks == .driving)
    }

    @Test func aCloggedFilterTakesSuction() throws {
        let ratings = PoolSpecification.p1
        let (open, full) = (try motors().push(ratings), try motors(clogged: 100).push(ratings))
        #expect(open.suction == 1 && full.suction == 0.5 && open.speed == full.speed)
    }

    @Test func theOwnerComesAfterTenMinutesAndForgetsWhatIsOver() throws {
        let site = try PoolBench().behaviour.site
        var owner = PoolOwner()
        for second in 1..<600 {
            let isEarly = owner.comes(for: .help, at: second, to: site)
            #expect(!isEarly)
        }
        #expect(owner.seconds(until: .help, at: 599, site) == 1)
        let isHere = owner.comes(for: .help, at: 600, to: site)
        #expect(isHere)
        let comesForNothing = owner.comes(for: nil, at: 601, to: site)
        #expect(!comesForNothing && owner.waitedSeconds == 0)
        #expect(owner.seconds(until: .repair, at: 0, site) == 172_800)
    }

    @Test func activitiesSayWhatTheyAre() {
        let run = PoolRun(program: .full, total: 7200, elapsed: 1800, isAction: true)
        #expect(run.percent == 25)
        #expect(run.ending.count == 2 && run.ending.first?.eventName == nil)
        #expect(PoolActivity.paused(run).run == run && !PoolActivity.paused(run).isWorking)
        #expect(PoolActivity.holding(seconds: 1).isWorking)
        #expect(PoolActivity.holding(seconds: 1).reported == .idle)
        #expect(PoolActivity.failed(.stuck).failure == .stuck)
        #expect(PoolFailure.stuck.occurrences(isAction: false).count == 1)
    }
}
