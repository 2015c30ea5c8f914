// Ways around other robots.
extension Floor {
    /// How far a planned way keeps from other robots, in metres: a cell is up to 3.6 cm nearer than its middle.
    static let detourDistance = FloorTraffic.distance + 0.04
    /// How far it is from them where such a way begins, in metres, so that a cell beside it is far enough.
    private static let escapeDistance = detourDistance + 0.08

    /// Whether a robot at a point keeps far enough from others.
    static func isClear(_ point: PlanPoint, of others: [PlanPoint]) -> Bool {
        others.allSatisfy { $0.distance(to: point) >= detourDistance }
    }

    /// The corners of a way that keeps clear of others; `nil` if there is none.
    func detour(
        from start: PlanPoint, to goal: PlanPoint, keepingFrom others: [PlanPoint]
    ) -> [PlanPoint]? {
        guard Self.isClear(goal, of: others), let escape = escape(from: start, others) else {
            return nil
        }
        let begin = escape.last ?? start
        guard let corners = corners(from: begin, to: goal, avoiding: cells(near: others)) else {
            return nil
        }
        return escape + corners
    }

    /// The free place nearest to a point that is clear of others; `nil` where there is none.
    func standingPoint(near point: PlanPoint, clearOf others: [PlanPoint]) -> PlanPoint? {
        (0..<grid.count).lazy.map(grid.cell).filter(grid.isFree).map(grid.middle)
            .filter { Self.isClear($0, of: others) }
            .min { $0.distance(to: point) < $1.distance(to: point) }
    }

    /// A place to which a robot can go back to let others pass; `nil` where there is none.
    func retreat(from start: PlanPoint, keepingFrom others: [PlanPoint]) -> [PlanPoint]? {
        guard let escape = escape(from: start, others) else { return nil }
        let begin = escape.last ?? start
        let blocked = cells(near: others)
        guard let first = grid.entryCell(from: begin), !blocked.contains(grid.index(first)) else {
            return nil
        }
        var reached = CellSet(count: grid.count)
        reached.set(grid.index(first), true)
        var open = [first]
        var best = (cell: first, distance: Self.distance(grid.middle(first), others))
        var next = 0
        // In the order of distance, so that of equal places the nearest is taken.
        while next < open.count, open.count < Self.mostCells, best.distance < Self.farEnough {
            let cell = open[next]
            next += 1
            for direction in stride(from: 0, to: 8, by: 2) {
                let neighbour = cell.neighbour(direction)
                guard grid.isFree(neighbour) else { continue }
                let index = grid.index(neighbour)
                guard !reached.contains(index), !blocked.contains(index) else { continue }
                reached.set(index, true)
                open.append(neighbour)
                let distance = Self.distance(grid.middle(neighbour), others)
                if distance > best.distance { best = (neighbour, distance) }
            }
        }
        guard best.cell != first else { return nil }
        return detour(from: start, to: grid.middle(best.cell), keepingFrom: others)
    }

    /// A robot that is so far from all others lets them pass, in metres.
    private static let farEnough = 1.5
    /// How many cells are looked at, 10 m² of free floor.
    private static let mostCells = 4000

    private static func distance(_ point: PlanPoint, _ others: [PlanPoint]) -> Double {
        others.reduce(.infinity) { min($0, $1.distance(to: point)) }
    }

    /// Straight away from others that are near, and no nearer to any of them than the traffic allows: empty where
    /// none is near, `nil` if there is no such way.
    private func escape(from start: PlanPoint, _ others: [PlanPoint]) -> [PlanPoint]? {
        guard others.contains(where: { $0.distance(to: start) < Self.escapeDistance }) else {
            return []
        }
        for metres in [0.1, 0.2, 0.35, 0.5, 0.8] {
            for heading in stride(from: 0.0, to: 360, by: 5) {
                let end = start.moved(by: metres, headingDeg: heading).rounded
                let way = PlanSegment(start: start, end: end)
                let isFree = others.allSatisfy { other in
                    let least = min(FloorTraffic.distance, other.distance(to: start))
                    return other.distance(to: end) >= Self.escapeDistance
                        && way.distance(to: other) >= least - 1e-9
                }
                if isFree, grid.isClear(start, end, margin: FloorGrid.startMargin) {
                    return [end]
                }
            }
        }
        return nil
    }

    /// The cells in which the middle of a body is too near to others.
    private func cells(near others: [PlanPoint]) -> CellSet {
        var cells = CellSet(count: grid.count)
        for other in others {
            let box = PlanBounds(x: other.x...other.x, y: other.y...other.y)
                .widened(by: Self.detourDistance)
            let (columns, rows) = grid.cells(in: box)
            for row in rows {
                for column in columns {
                    let cell = GridCell(column: column, row: row)
                    if grid.middle(cell).distance(to: other) < Self.detourDistance {
                        cells.set(grid.index(cell), true)
                    }
                }
            }
        }
        return cells
    }
}
