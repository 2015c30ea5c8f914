#if KILL_POINTS
    internal import Synchronization

    #if canImport(Glibc)
        internal import Glibc
    #else
        internal import Darwin
    #endif

    /// Where a test wants the process to end.
    final class KillPlan: Sendable {
        /// The plan of this process; `nil` where there is none.
        static let current = KillPlan(getenv("HOMEPORT_KILL_POINT").map { String(cString: $0) })

        /// The points that are still to be passed, in order.
        private let remaining: Mutex<[KillPoint]>

        /// The file without which no point counts; `nil` if every pass does.
        private let condition: String?

        private init?(_ text: String?) {
            let points = text?.split(separator: ",").compactMap { KillPoint(rawValue: String($0)) }
            guard let points, !points.isEmpty else { return nil }
            remaining = Mutex(points)
            condition = getenv("HOMEPORT_KILL_WHEN").map { String(cString: $0) }
        }

        private var isArmed: Bool { condition.map { access($0, F_OK) == 0 } ?? true }

        /// Ends the process at the last point.
        func pass(_ point: KillPoint) {
            remaining.withLock { remaining in
                guard remaining.first == point, isArmed else { return }
                remaining.removeFirst()
                if remaining.isEmpty { kill(getpid(), SIGKILL) }
            }
        }
    }
#endif
