internal import HeapModule

/// When commands are to be woken. However many there are, few tasks sleep: each until an earlier time
/// than the ones before it.
package struct WakeList<Sleeper: Sendable> {
    /// What is to be woken.
    package struct Wake: Comparable {
        /// When.
        package let due: Duration
        /// Which.
        package let sleeper: Sleeper

        package static func == (left: Wake, right: Wake) -> Bool { left.due == right.due }

        package static func < (left: Wake, right: Wake) -> Bool { left.due < right.due }
    }

    private var waiting = Heap<Wake>()
    /// How long tasks sleep, the earliest last.
    private var sleeps: [Duration] = []

    package init() {}

    /// Adds a wake.
    /// - Returns: whether a task must sleep until then, and call ``sleepEnded(at:where:)``.
    package mutating func add(_ sleeper: Sleeper, at due: Duration) -> Bool {
        waiting.insert(Wake(due: due, sleeper: sleeper))
        return needsSleep(until: due)
    }

    /// A sleep has ended, which may be one of several.
    /// - Parameter isWanted: whether a wake still is; most commands end before their first one, and no task
    ///   sleeps for those.
    /// - Returns: the wanted wakes that are due, and how long a task must sleep next, if it must.
    package mutating func sleepEnded(
        at now: Duration, where isWanted: (Wake) -> Bool
    ) -> (due: [Wake], next: Duration?) {
        while let earliest = sleeps.last, earliest <= now { sleeps.removeLast() }
        var due: [Wake] = []
        while let first = waiting.min {
            let isWanted = isWanted(first)
            guard first.due <= now || !isWanted else { break }
            waiting.removeMin()
            if isWanted { due.append(first) }
        }
        guard let next = waiting.min?.due, needsSleep(until: next) else { return (due, nil) }
        return (due, next)
    }

    private mutating func needsSleep(until due: Duration) -> Bool {
        if let earliest = sleeps.last, earliest <= due { return false }
        sleeps.append(due)
        return true
    }
}
