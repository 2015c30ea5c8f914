import Basics
import DeviceControl
import DeviceDomain
import PostgresPersistence
import Testing

/// Who gets which homes, whatever was before.
@Suite struct HomeAllotmentTests {
    private typealias Instance = HomeStanding.Instance

    /// Every distribution of four homes over nobody, a stranger and up to three instances.
    @Test(arguments: 1...3)
    func fromEveryStandingAllComeToEvenShares(instances: Int) throws {
        let numbers = Array(1...instances)
        let choices: [Int?] = [nil, 99] + numbers
        let homes = try homes(4)
        for pattern in 0..<Int(pow(choices.count, homes.count)) {
            var rest = pattern
            var owners: [HomeID: Int?] = [:]
            for home in homes {
                owners[home] = .some(choices[rest % choices.count])
                rest /= choices.count
            }
            try expectSettling(owners, numbers.map { Instance(number: $0, takes: .all) })
        }
    }

    /// Instances that die, come and take only some homes, in any order, for many seeds.
    @Test(arguments: 1...200)
    func whateverHappensItSettles(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let homes = try homes(Int.random(in: 0...40, using: &generator))
        var owners: [HomeID: Int?] = [:]
        for home in homes { owners[home] = .some(nil) }
        var instances: [Instance] = []
        for number in 1...8 {
            if !instances.isEmpty, Bool.random(using: &generator) {
                let gone = instances.remove(
                    at: Int.random(in: instances.indices, using: &generator))
                owners = owners.mapValues { $0 == gone.number ? nil : $0 }
            }
            let some = Set(homes.filter { _ in Bool.random(using: &generator) })
            let isPicky = Int.random(in: 0...2, using: &generator) == 0
            instances.append(Instance(number: number, takes: isPicky ? .only(some) : .all))
            owners = try expectSettling(owners, instances)
        }
    }

    @Test func nobodyGivesUpWhatNobodyElseTakes() throws {
        let homes = try homes(6)
        var owners: [HomeID: Int?] = [:]
        for home in homes { owners[home] = .some(1) }
        let instances = [
            Instance(number: 1, takes: .all), Instance(number: 2, takes: .only([homes[5]])),
        ]
        let allotment = HomeAllotment(
            HomeStanding(own: 1, instances: instances, owners: owners))
        #expect(allotment.givenUp == [homes[5]])
        #expect(allotment.taken.isEmpty)
    }

    /// Home 4 is given up by the first instance, and free until the third takes it: the second does not.
    @Test func aHomeOnItsWayIsLeftToTheOneThatItIsFor() throws {
        let homes = try homes(6)
        let numbers: [Int?] = [1, 1, 1, nil, 2, 2]
        let owners = Dictionary(uniqueKeysWithValues: zip(homes, numbers))
        let instances = (1...3).map { Instance(number: $0, takes: .all) }
        let takers = instances.filter { instance in
            !HomeAllotment(
                HomeStanding(own: instance.number, instances: instances, owners: owners)
            ).taken.isEmpty
        }
        #expect(takers.map(\.number) == [3])
    }

    // MARK: Parts

    private func homes(_ count: Int) throws -> [HomeID] {
        try (0..<count).map { try HomeID("home-\($0)") }
    }

    private func pow(_ base: Int, _ exponent: Int) -> Int {
        (0..<exponent).reduce(1) { power, _ in power * base }
    }

    /// Lets each instance do what it comes to, one after the other, until none has anything to do.
    @discardableResult
    private func expectSettling(
        _ owners: [HomeID: Int?], _ instances: [Instance],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [HomeID: Int?] {
        var now = owners
        var changes: [HomeID: Int] = [:]
        var rounds = 0
        var isSettled = false
        while !isSettled {
            isSettled = true
            rounds += 1
            try #require(
                rounds < 6, "it does not settle: \(owners)", sourceLocation: sourceLocation)
            for instance in instances {
                let allotment = HomeAllotment(
                    HomeStanding(own: instance.number, instances: instances, owners: now))
                isSettled = isSettled && allotment.taken.isEmpty && allotment.givenUp.isEmpty
                for home in allotment.givenUp { now[home] = .some(nil) }
                for home in allotment.taken {
                    #expect(now[home] == .some(nil), sourceLocation: sourceLocation)
                    #expect(instance.takes.include(home), sourceLocation: sourceLocation)
                    now[home] = .some(instance.number)
                    changes[home, default: 0] += 1
                }
            }
        }
        #expect(changes.values.allSatisfy { $0 == 1 }, "a home goes to and fro: \(owners)")
        expectFairness(now, instances, sourceLocation)
        for (home, owner) in owners where owner == 99 { #expect(now[home] == owner) }
        return now
    }

    private func expectFairness(
        _ owners: [HomeID: Int?], _ instances: [Instance], _ sourceLocation: SourceLocation
    ) {
        for (home, owner) in owners where instances.contains(where: { $0.takes.include(home) }) {
            #expect(owner != nil, "\(home) has no owner", sourceLocation: sourceLocation)
        }
        let counts = Dictionary(grouping: owners.values.compactMap(\.self)) { $0 }
            .mapValues(\.count)
        let open = instances.filter { $0.takes == .all }.map { counts[$0.number] ?? 0 }
        if let least = open.min(), let most = open.max() {
            #expect(most - least <= 1, "\(counts)", sourceLocation: sourceLocation)
        }
        let shared = instances.reduce(0) { $0 + (counts[$1.number] ?? 0) }
        guard open.count == instances.count, !instances.isEmpty else { return }
        let share = (shared + instances.count - 1) / instances.count
        #expect(open.allSatisfy { $0 <= share }, sourceLocation: sourceLocation)
    }
}
