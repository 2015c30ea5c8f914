/// Finds the shortest way between two cells of a grid (A*: Hart, Nilsson, Raphael, "A formal basis for the
/// heuristic determination of minimum cost paths", IEEE 1968).
struct PathSearch {
    private let grid: FloorGrid
    private let blocked: CellSet?
    private var cost: [Int32]
    private var cameFrom: [Int8]
    private var open = OpenCells()

    /// The cost of a step along an axis and across; their ratio is nearly that of the lengths.
    private static let straight: Int32 = 10
    private static let diagonal: Int32 = 14

    /// - Parameter blocked: cells in which the middle of the body may not be at present, besides those that are never
    ///   free.
    init(_ grid: FloorGrid, avoiding blocked: CellSet? = nil) {
        self.grid = grid
        self.blocked = blocked
        cost = [Int32](repeating: .max, count: grid.count)
        cameFrom = [Int8](repeating: -1, count: grid.count)
    }

    /// The cells from start to goal, both included; `nil` if there is no way.
    mutating func way(from start: GridCell, to goal: GridCell) -> [GridCell]? {
        guard isFree(start), isFree(goal) else { return nil }
        cost[grid.index(start)] = 0
        open.insert(grid.index(start), priority: estimate(start, goal))
        while let index = open.removeFirst() {
            let cell = grid.cell(index)
            if cell == goal { return cells(to: goal) }
            // An entry that a cheaper way to the cell has replaced since.
            guard open.priority(removed: cost[index] + estimate(cell, goal)) else { continue }
            for direction in 0..<8 { step(from: cell, direction, goal) }
        }
        return nil
    }

    private mutating func step(from cell: GridCell, _ direction: Int, _ goal: GridCell) {
        let next = cell.neighbour(direction)
        guard isFree(next) else { return }
        let length = direction & 1 == 0 ? Self.straight : Self.diagonal
        let total = cost[grid.index(cell)] + length
        let index = grid.index(next)
        guard total < cost[index] else { return }
        cost[index] = total
        cameFrom[index] = Int8(direction)
        open.insert(index, priority: total + estimate(next, goal))
    }

    private func isFree(_ cell: GridCell) -> Bool {
        grid.isFree(cell) && blocked?.contains(grid.index(cell)) != true
    }

    private func estimate(_ cell: GridCell, _ goal: GridCell) -> Int32 {
        let dx = Int32((cell.column - goal.column).magnitude)
        let dy = Int32((cell.row - goal.row).magnitude)
        return Self.straight * max(dx, dy) + (Self.diagonal - Self.straight) * min(dx, dy)
    }

    private func cells(to goal: GridCell) -> [GridCell] {
        var cells = [goal]
        var cell = goal
        while cameFrom[grid.index(cell)] >= 0 {
            cell = cell.neighbour(Int(cameFrom[grid.index(cell)]) + 4)
            cells.append(cell)
        }
        return cells.reversed()
    }
}

/// Cells by priority, the lowest first and the lower number among equals: a binary heap.
private struct OpenCells {
    private var heap: [(priority: Int32, index: Int)] = []
    private var lastPriority: Int32 = 0

    mutating func insert(_ index: Int, priority: Int32) {
        heap.append((priority, index))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child] < heap[parent] else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() -> Int? {
        guard let first = heap.first else { return nil }
        lastPriority = first.priority
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return first.index
    }

    /// Whether the cell that was removed last still has that priority.
    func priority(removed priority: Int32) -> Bool { lastPriority == priority }

    private mutating func sink() {
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < heap.count else { return }
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < heap[parent] else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
