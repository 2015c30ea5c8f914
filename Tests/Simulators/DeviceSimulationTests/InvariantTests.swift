import Basics
import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// The table of invariants: each is seen to fail once on a world that is broken for it.
@Suite struct InvariantTests {
    // MARK: Devices

    /// A robot that drives to a point, as it was a second ago and is now.
    private func drivingStep(
        breaking change: (inout DeviceLook) -> Void = { _ in }
    ) -> DeviceStep {
        var walker = SweeperWalker()
        walker.begin(.startCleaning, ["rooms": [1]])
        walker.step(200)
        let (before, start) = (walker.behaviour.look, walker.world)
        walker.step(1)
        var now = walker.behaviour.look
        change(&now)
        return DeviceStep(
            before: before, now: now, start: start, end: walker.world, behaviour: walker.behaviour)
    }

    private func names(_ step: DeviceStep) -> [String] { step.findings.map(\.invariant.name) }

    @Test func aRobotAtWorkBreaksNothing() { #expect(drivingStep().findings == []) }

    @Test func aCounterThatFallsIsFound() {
        #expect(names(drivingStep { $0.totals[1] -= 1 }) == ["counters-never-fall"])
        #expect(names(drivingStep { $0.partial = -1 }) == ["counters-never-fall"])
    }

    @Test func aChargeOffTheDockIsFound() {
        #expect(names(drivingStep { $0.charge?.energyWh += 0.5 }) == ["no-charge-off-dock"])
    }

    @Test func aJumpIsFound() {
        #expect(names(drivingStep { $0.body?.position.x += 0.4 }) == ["no-jump"])
        #expect(names(drivingStep { $0.body?.headingDeg += 120 }) == ["no-jump"])
        #expect(names(drivingStep { $0.body?.depthM = 0.1 }) == ["no-jump"])
        #expect(names(drivingStep { $0.body?.tiltDeg = 1 }) == ["no-jump"])
    }

    @Test func aRobotThatStandsAndMovesIsFound() {
        var step = drivingStep { $0.body?.isAtRest = true }
        var before = step.before
        before?.body?.isAtRest = true
        step = DeviceStep(
            before: before, now: step.now, start: step.start, end: step.end,
            behaviour: step.behaviour)
        #expect(names(step) == ["no-contradiction"])
    }

    @Test func wearWithoutWorkIsFound() {
        #expect(names(drivingStep { $0.totals[0] += 500 }) == ["no-contradiction"])
    }

    @Test func aRobotInAWallOrInFurnitureIsFound() {
        let floor = TestFloors.floor(0)
        let solid = floor.plan.obstacles[0].bounds
        let places = [
            PlanPoint(x: floor.plan.bounds.x.lowerBound + 0.1, y: 2),
            PlanPoint(x: -1, y: -1),
            PlanPoint(
                x: (solid.x.lowerBound + solid.x.upperBound) / 2,
                y: (solid.y.lowerBound + solid.y.upperBound) / 2),
        ]
        for place in places {
            var walker = SweeperWalker(on: floor)
            walker.behaviour.standing.position = place
            walker.behaviour.activity = .idle
            var watch = DeviceInspector()
            let found = watch.look(at: walker.behaviour, walker.world).map(\.invariant.name)
            #expect(found == ["free-space"], "\(place)")
        }
    }

    @Test func aRobotThatIsDockedElsewhereIsFound() {
        var walker = SweeperWalker()
        walker.begin(.moveTo, ["x": 6.5, "y": 4])
        walker.finish()
        walker.behaviour.activity = .docked(resuming: nil)
        var watch = DeviceInspector()
        let found = watch.look(at: walker.behaviour, walker.world).map(\.invariant.name)
        #expect(found == ["no-contradiction"])
    }

    @Test func aPoolRobotThatIsNotInItsPoolIsFound() throws {
        var pool = try PoolBench()
        pool.begin(.floor)
        pool.pass(60)
        let drive = pool.behaviour.drive
        let site = pool.behaviour.site
        var watch = DeviceInspector()
        func look() -> [String] {
            watch.look(at: pool.behaviour, pool.behaviour.now).map(\.invariant.name)
        }
        #expect(look() == [])
        pool.behaviour.drive = PoolDrive(at: PoolVector(x: -2, y: 1), depthM: 1, in: site)
        watch.handled()
        #expect(look() == ["free-space"])
        pool.behaviour.drive = PoolDrive(at: drive.place, depthM: 9, in: site)
        watch.handled()
        #expect(look() == ["free-space"])
        pool.behaviour.place = .deck(seconds: 0)
        #expect(look() == ["no-contradiction"])
    }

    @Test func aPoolRobotThatHangsInTheWaterIsFound() throws {
        var pool = try PoolBench()
        var watch = DeviceInspector()
        pool.behaviour.drive = PoolDrive(
            at: pool.behaviour.drive.place, depthM: 0.2, in: pool.behaviour.site)
        let first = watch.look(at: pool.behaviour, pool.behaviour.now)
        #expect(first == [])
        pool.behaviour.now = pool.behaviour.now.advanced(by: .seconds(1))
        let found = watch.look(at: pool.behaviour, pool.behaviour.now).map(\.invariant.name)
        #expect(found == ["no-contradiction"])
    }

    // MARK: Stores and homes

    /// A store that charges, as it was a second ago and is now.
    private func chargingStep(
        breaking change: (inout StoreLook) -> Void = { _ in }
    ) throws -> StoreStep {
        var bench = try StoreBench(.e10, percent: 50)
        bench.order(.charge, 2000)
        bench.pass(30)
        let before = StoreLook(bench.store)
        bench.pass(1)
        var now = StoreLook(bench.store)
        change(&now)
        return StoreStep(before: before, now: now, wasDark: false)
    }

    @Test func aStoreAtWorkBreaksNothing() throws { #expect(try chargingStep().findings == []) }

    @Test(arguments: [
        "store-energy-balance", "counters-never-fall", "within-limits", "no-contradiction",
    ])
    func aBrokenStoreIsFound(_ name: String) throws {
        let changes: [(String, (inout StoreLook) -> Void)] = [
            ("store-energy-balance", { $0.energyWh += 1 }),
            ("store-energy-balance", { $0.energyWh -= 1 }),
            ("store-energy-balance", { $0.cellW = $0.batteryW + 1 }),
            ("store-energy-balance", { $0.inWh += 1 }),
            (
                "counters-never-fall",
                {
                    $0.inWh -= 1
                    $0.outWh -= 1
                }
            ),
            ("counters-never-fall", { $0.cycles -= 1 }),
            ("within-limits", { $0.health = 1.1 }),
            ("within-limits", { $0.lowestV = 2.7 }),
            ("within-limits", { $0.highestV = 3.7 }),
            ("no-contradiction", { $0.isCutOff = true }),
        ]
        for (broken, change) in changes where broken == name {
            let step = try chargingStep(breaking: change)
            let before = StoreStep(
                before: cutOff(step.before, step.now.isCutOff), now: step.now, wasDark: false)
            let found = before.findings.map(\.invariant.name)
            #expect(found.contains(name), "\(found)")
        }
    }

    private func cutOff(_ look: StoreLook, _ isCutOff: Bool) -> StoreLook {
        var look = look
        look.isCutOff = isCutOff
        return look
    }

    @Test func aHomeWhosePowersDoNotAddUpIsFound() throws {
        var bench = try StoreBench(.e10)
        bench.pass(10)
        var watch = HomeWatch([try DeviceBench.identity("store-e10")])
        watch.look(at: bench.home, bench.home.world)
        #expect(watch.record.isClean)
        // A store that stands still at once, and a meter that has not seen it.
        bench.order(.charge, 2000)
        bench.pass(10)
        bench.store.rest()
        watch.look(at: bench.home, bench.home.world)
        #expect(watch.record.entries["home-energy-balance"]?.violations == 1)
    }

    // MARK: What is told

    @Test func ofEachInvariantAndDeviceTheFirstViolationIsTold() throws {
        var record = InvariantRecord()
        let (home, device) = (try HomeID("home-1"), try DeviceID("a"))
        func violation(_ device: DeviceID, _ second: Int) -> InvariantViolation {
            InvariantViolation(
                invariant: .noJump, home: home, device: device,
                at: Timestamp(milliseconds: second * 1000), text: "it jumped")
        }
        for second in 3...9 { record.add(violation(device, second)) }
        record.add(violation(try DeviceID("b"), 20))
        let news = [record.takeNews(), record.takeNews()]
        #expect(news.map { $0.map(\.device.text) } == [["a", "b"], []])
        var other = InvariantRecord()
        other.add(violation(device, 1))
        record.add(other)
        #expect(record.entries["no-jump"]?.violations == 9)
        #expect(record.entries["no-jump"]?.first.at == Timestamp(milliseconds: 1000))
    }

    @Test func theTableNamesEachInvariantOnce() {
        #expect(Set(Invariant.all.map(\.name)).count == Invariant.all.count)
        let checked =
            DeviceStep.checks.map(\.invariant) + StoreStep.checks.map(\.invariant)
            + Household.checks.map(\.invariant) + RobotPair.checks.map(\.invariant)
        #expect(Set(checked) == Set(Invariant.all))
    }
}
