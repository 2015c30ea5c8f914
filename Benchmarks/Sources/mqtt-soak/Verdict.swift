/// Whether the samples are flat and the clients alive.
struct Verdict {
    /// Rounds at the start that fill caches and pools.
    private static let warmUp = 3
    /// What resident memory may grow by from the first half of the samples to the second.
    private static let toleratedGrowth = 0.05

    let isGood: Bool
    let lines: [String]

    /// Compares the highest of the first half with the highest of the second; of threads the lowest,
    /// because the runtime's pool comes and goes, and what is lost stays.
    init(samples: [Sample], clients: Int) {
        let settled = Array(samples.dropFirst(Self.warmUp))
        guard settled.count >= 4, let last = settled.last else {
            isGood = false
            lines = ["verdict\ttoo short: \(samples.count) rounds"]
            return
        }
        let early = settled.prefix(settled.count / 2)
        let late = settled.suffix(settled.count / 2)
        let checks = [
            Self.compare("descriptors", early, late, \.descriptors, growth: 0),
            Self.compare("threads", early, late, \.threads, growth: 0, lowest: true),
            Self.compare("resident-KiB", early, late, \.residentKiB, growth: Self.toleratedGrowth),
            Self.alive("connected", settled.allSatisfy { $0.counts.connected == clients }),
            Self.alive("published", Self.grows(settled, \.counts.published)),
            Self.alive("received", Self.grows(settled, \.counts.received)),
            Self.alive("short-lived", Self.grows(settled, \.counts.shortLived)),
        ]
        isGood = checks.allSatisfy(\.holds)
        lines =
            ["last\t\(last)"] + checks.map(\.line) + ["verdict\t\(isGood ? "good" : "bad")"]
    }

    private static func compare(
        _ name: String, _ early: ArraySlice<Sample>, _ late: ArraySlice<Sample>,
        _ value: KeyPath<Sample, Int>, growth: Double, lowest: Bool = false
    ) -> (holds: Bool, line: String) {
        let first = early.map { $0[keyPath: value] }
        let second = late.map { $0[keyPath: value] }
        let before = (lowest ? first.min() : first.max()) ?? 0
        let after = (lowest ? second.min() : second.max()) ?? 0
        let holds = Double(after) <= Double(before) * (1 + growth)
        return (holds, "\(name)\t\(before)\t\(after)\t\(holds ? "flat" : "GROWS")")
    }

    private static func alive(_ name: String, _ holds: Bool) -> (holds: Bool, line: String) {
        (holds, "\(name)\t\(holds ? "in every round" : "NOT in every round")")
    }

    private static func grows(_ samples: [Sample], _ value: KeyPath<Sample, Int>) -> Bool {
        zip(samples, samples.dropFirst()).allSatisfy { $0[keyPath: value] < $1[keyPath: value] }
    }
}
