package import DeviceDomain
import DeviceSimulation

/// How many devices of each kind live in one home.
package struct DeviceCounts: Hashable, Sendable {
    private let numbers: [DeviceKind: Int]

    /// So many of each kind; none of those that are left out.
    package init(_ numbers: [DeviceKind: Int]) { self.numbers = numbers }

    /// The devices of a home by default.
    package static let usual = DeviceCounts(
        Dictionary(
            BehaviourCatalog.standard.kinds.map { ($0.kind, $0.usualCount) },
            uniquingKeysWith: { first, _ in first }))

    /// How many devices of a kind.
    package subscript(kind: DeviceKind) -> Int { max(0, numbers[kind] ?? 0) }

    /// All devices of one home.
    package var total: Int { numbers.values.reduce(0) { $0 + max(0, $1) } }
}
