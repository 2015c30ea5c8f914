internal import DeviceControl
package import DeviceDomain

/// Which homes go to which instance: everybody's share is the same, as far as their choice of homes allows, and what has
/// an owner stays with it otherwise.
///
/// Every instance computes this for itself. From one standing all come to the same, and once it is reached it stays: so
/// nobody gives up what nobody takes, and no home goes to and fro.
package struct HomeAllotment: Hashable, Sendable {
    /// The free homes that the instance which asks is to take, in order.
    package let taken: [HomeID]
    /// The homes that it is to give up, in order.
    package let givenUp: [HomeID]

    package init(_ standing: HomeStanding) {
        let target = Self.owners(in: standing)
        let own = standing.own
        taken = target.filter { $0.value == own && standing.owners[$0.key] == .some(nil) }
            .map(\.key).sorted()
        givenUp = target.filter { $0.value != own && standing.owners[$0.key] == .some(own) }
            .map(\.key).sorted()
    }

    /// Who is to have each home; a home that no instance takes, and one that another process owns, has none here.
    package static func owners(in standing: HomeStanding) -> [HomeID: Int] {
        var shares = Shares(standing)
        shares.giveOutFreeHomes()
        shares.evenOut()
        return shares.owners
    }
}

/// The homes of each instance while they are given out.
private struct Shares {
    private struct Share {
        let instance: HomeStanding.Instance
        /// In order.
        var homes: [HomeID] = []
    }

    private var shares: [Share]
    private var free: [HomeID] = []

    init(_ standing: HomeStanding) {
        shares = standing.instances.map { Share(instance: $0) }
        let places = Dictionary(
            shares.enumerated().map { ($1.instance.number, $0) }
        ) { first, _ in first }
        for (home, owner) in standing.owners.sorted(by: { $0.key < $1.key }) {
            guard let owner else {
                free.append(home)
                continue
            }
            guard let place = places[owner] else { continue }
            if shares[place].instance.takes.include(home) {
                shares[place].homes.append(home)
            } else {
                free.append(home)
            }
        }
    }

    var owners: [HomeID: Int] {
        var owners: [HomeID: Int] = [:]
        for share in shares {
            for home in share.homes { owners[home] = share.instance.number }
        }
        return owners
    }

    /// Gives each free home to the instance with the fewest homes that takes it.
    mutating func giveOutFreeHomes() {
        for home in free {
            let takers = shares.indices.filter { shares[$0].instance.takes.include(home) }
            guard let place = takers.min(by: { shares[$0].homes.count < shares[$1].homes.count })
            else { continue }
            shares[place].homes.append(home)
        }
        free = []
        for place in shares.indices { shares[place].homes.sort() }
    }

    /// Moves single homes from instances that have many to those that have at least two fewer.
    mutating func evenOut() {
        while let (from, to, index) = nextMove() {
            shares[to].homes.append(shares[from].homes.remove(at: index))
        }
    }

    /// A move from the instance with the most homes to the one with the fewest that takes one of them; the last home goes
    /// first.
    private func nextMove() -> (from: Int, to: Int, index: Int)? {
        let order = shares.indices.sorted { shares[$0].homes.count > shares[$1].homes.count }
        for from in order {
            for to in order.reversed() {
                guard shares[from].homes.count - shares[to].homes.count >= 2 else { break }
                let taker = shares[to].instance.takes
                if let index = shares[from].homes.lastIndex(where: taker.include) {
                    return (from, to, index)
                }
            }
        }
        return nil
    }
}
