internal import Connectivity
package import DeviceControl
internal import DeviceDomain

extension [CommandRecord] {
    /// The newest first by the time when they were made; those of one time as they are.
    package var newestFirst: [CommandRecord] {
        enumerated().sorted {
            ($1.element.intent.issuedAt, $0.offset) < ($0.element.intent.issuedAt, $1.offset)
        }
        .map(\.element)
    }
}
