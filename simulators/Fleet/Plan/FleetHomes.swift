package import DeviceDomain

/// The homes of a fleet; there is always at least one.
package struct FleetHomes: Sendable, Hashable {
    /// Their names, in order.
    package let ids: [HomeID]

    /// `home-1` … `home-N`.
    /// - Precondition: `count` is at least 1.
    package static func numbered(_ count: Int) -> FleetHomes {
        precondition(count >= 1, "a fleet has at least one home")
        return FleetHomes(ids: (1...count).map { .numbered("home", $0) })
    }

    /// One home of that name.
    /// - Throws: `InvalidIdentifier`, saying which names are allowed.
    package static func named(_ name: String) throws(InvalidIdentifier) -> FleetHomes {
        FleetHomes(ids: [try HomeID(name)])
    }

    /// How many there are.
    package var count: Int { ids.count }
    /// The name of the first: the one that a controller looks at unless told otherwise.
    package var first: String { firstID.text }
    /// The first.
    package var firstID: HomeID { ids[0] }
}

extension Identifier {
    /// A word and a number: valid in every grammar of the protocol's names.
    static func numbered(_ word: StaticString, _ number: Int) -> Identifier {
        guard let identifier = Identifier(rawValue: "\(word)-\(number)") else {
            preconditionFailure("\(word)-\(number) is no valid \(Role.noun)")
        }
        return identifier
    }
}
