import DeviceDomain
import Testing

@testable import DeviceSimulation

/// What a cleaning reaches, and how fast.
@Suite struct CoverageTests {
    /// Counted from where the robot is every 50 mm, not from how the way was planned.
    @Test(arguments: FloorTemplate.all.indices)
    func nearlyAllThatIsInReachIsCleaned(_ template: Int) throws {
        let floor = TestFloors.floor(template)
        for room in floor.plan.rooms {
            let variant = CoveragePlanner.Variant(number: (template + room.id) % 8)
            let path = try #require(floor.cleaning(of: room, variant))
            let (inReach, cleaned) = count(path, in: room, on: floor)
            #expect(
                Double(cleaned) >= 0.95 * Double(inReach), "\(room.name): \(cleaned)/\(inReach)")
            // What the robot reports: it counts no cell twice, and none that it has not reached.
            #expect(Double(path.cells) <= Double(inReach) * 1.02 + 5, "\(room.name)")
            #expect(Double(path.cells) >= Double(cleaned) * 0.95, "\(room.name)")
        }
    }

    private func count(
        _ path: DrivePath, in room: FloorRoom, on floor: Floor
    ) -> (inReach: Int, cleaned: Int) {
        let grid = floor.grid
        let (columns, rows) = grid.cells(in: room.outline.bounds)
        let cells = rows.flatMap { row in columns.map { GridCell(column: $0, row: row) } }
        let floorCells = cells.filter {
            room.outline.contains(grid.middle($0)) && !floor.isOccupied(grid.middle($0))
        }
        var reached = Set<GridCell>()
        var cleaned = Set<GridCell>()
        for cell in floorCells where grid.isFree(cell) {
            reached.formUnion(near(grid.middle(cell), 0.195, grid))
        }
        var from = path.start
        for leg in path.legs {
            let way = PlanSegment(start: from, end: leg.end)
            let count = max(1, Int((from.distance(to: leg.end) / 0.05).rounded(.up)))
            for step in 0...count {
                let share = Double(step) / Double(count)
                let point = PlanPoint(
                    x: from.x + (leg.end.x - from.x) * share,
                    y: from.y + (leg.end.y - from.y) * share)
                cleaned.formUnion(near(point, 0.09, grid))
                guard leg.kind == .edge else { continue }
                let right = near(point, 0.195, grid).filter { way.side(of: grid.middle($0)) > 0 }
                cleaned.formUnion(right)
            }
            from = leg.end
        }
        let all = reached.intersection(floorCells)
        return (all.count, all.intersection(cleaned).count)
    }

    private func near(_ point: PlanPoint, _ reach: Double, _ grid: FloorGrid) -> [GridCell] {
        let (columns, rows) = grid.cells(
            in: PlanSegment(start: point, end: point).bounds.widened(by: reach))
        return rows.flatMap { row in columns.map { GridCell(column: $0, row: row) } }
            .filter { grid.middle($0).distance(to: point) <= reach }
    }

    @Test(arguments: FloorTemplate.all.indices)
    func aCleaningOfAHomeIsAsFastAsRecordedOnes(_ template: Int) {
        var walker = SweeperWalker(.pro, on: TestFloors.floor(template), seed: UInt64(template))
        walker.begin(.startCleaning)
        walker.finish(by: 5)
        #expect(walker.events.contains("cleaning-finished"))
        let perMinute =
            walker.behaviour.cleanedAreaM2 / walker.behaviour.cleaningSeconds * 60
        #expect((0.8...1.05).contains(perMinute), "\(perMinute) m²/min")
    }

    @Test func twoCleaningsOfARoomDiffer() throws {
        var walker = SweeperWalker(.pro)
        var trails: Set<[PlanPoint]> = []
        for _ in 0..<4 {
            walker.happened = []
            walker.begin(.startCleaning, ["rooms": [4]])
            let job = try #require(walker.behaviour.activity.job)
            trails.insert(job.coverage.path.corners)
            walker.finish(by: 5)
            walker.goHome()
        }
        #expect(trails.count >= 2)
        let another = SweeperWalker(.pro, seed: 2)
        #expect(another.behaviour.seed != walker.behaviour.seed)
    }

    @Test func edgesComeFirstWithTheWallOnTheRight() throws {
        let floor = TestFloors.floor(5)
        let path = try #require(floor.cleaning(of: floor.plan.rooms[1], .init(number: 2)))
        let kinds = path.legs.map(\.kind)
        let firstEdge = try #require(kinds.firstIndex(of: .edge))
        let lanes = kinds.lastIndex(of: .edge).map { kinds.count - $0 } ?? 0
        #expect(firstEdge == 0 && lanes > kinds.count / 3)
        #expect(path.legs.allSatisfy { $0.kind == .edge || $0.kind == .lane })
    }

    @Test func aSpotIsASquareOfItsRoom() throws {
        let floor = TestFloors.floor(5)
        let spot = try #require(floor.standingPoint(near: PlanPoint(x: 2.6, y: 6)))
        let path = try #require(floor.cleaning(around: spot, .init(number: 0)))
        let reach = path.corners.map {
            max(($0.x - spot.x).magnitude, ($0.y - spot.y).magnitude)
        }
        #expect((reach.max() ?? 0) <= 0.75 + 1e-6, "\(reach.max() ?? 0)")
        let area = Double(path.cells) * FloorGrid.cellAreaM2
        #expect(area > 0.5 && area < 2.3, "\(area)")
    }
}
