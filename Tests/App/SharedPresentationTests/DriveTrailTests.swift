import Testing

@testable import SharedPresentation

@Suite struct DriveTrailTests {
    private func trail(_ steps: [(x: Double, area: Double?)]) -> DriveTrail {
        var trail = DriveTrail()
        for step in steps { trail.move(to: FloorPoint(x: step.x, y: 0), area: step.area) }
        return trail
    }

    @Test func whatWasCleanedAreTheStretchesOnWhichTheAreaGrows() {
        let driven = trail([(0, 0), (1, 0), (2, 0.5), (3, 1), (4, 1), (5, 1), (6, 1.5)])
        #expect(driven.cleaned.map { $0.map(\.x) } == [[1, 2, 3], [5, 6]])
    }

    @Test func anotherCleaningBeginsAnew() {
        let driven = trail([(0, 4), (1, 5), (2, 0), (3, 0.5)])
        #expect(driven.cleaned.map { $0.map(\.x) } == [[2, 3]])
        // The area falls while the robot stands in its dock.
        let docked = trail([(0, 4), (1, 5), (1, 0), (2, 0.5)])
        #expect(docked.cleaned.map { $0.map(\.x) } == [[1, 2]])
    }

    @Test func withoutAnAreaNothingIsKnownToBeClean() {
        #expect(trail([(0, nil), (1, nil)]).cleaned.isEmpty)
        #expect(trail([]).cleaned.isEmpty)
    }

    @Test func itKeepsTheLatestPlaces() {
        let long = trail((0..<(DriveTrail.longest + 5)).map { (Double($0), Double($0)) })
        #expect(long.points.count == DriveTrail.longest && long.points.first?.x == 5)
        #expect(long.cleaned.first?.count == DriveTrail.longest)
    }
}
