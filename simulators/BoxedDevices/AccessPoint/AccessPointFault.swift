package import ProvisioningProtocol

/// What a test lets go wrong at an access point.
package enum AccessPointFault: Hashable, Sendable {
    /// The answer takes that much longer.
    case slow(Duration)
    /// The connection breaks before the device has read the request.
    case dropsRequest
    /// The connection breaks after the device has done what was asked.
    case dropsAnswer
    /// The answer breaks off in the middle.
    case cutsAnswer
    /// The access point is gone, and comes back.
    case closes
}

/// Which request meets which fault: it is asked with the endpoint and the number of the request, from 1 on.
package typealias AccessPointFaults = @Sendable (ProvisioningEndpoint, Int) -> AccessPointFault?
