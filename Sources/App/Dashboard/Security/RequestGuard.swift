internal import Basics

/// Refuses requests that another site makes in the name of a browser: those for a foreign host, which
/// a rebound name leads here, and those from a foreign origin.
struct RequestGuard: Sendable {
    /// Why a request is refused.
    enum Refusal: Error, Hashable, Sendable {
        /// It was meant for another host.
        case foreignHost
        /// A page of another origin made it.
        case foreignOrigin
        /// It would change something, and its origin is not known.
        case unknownOrigin
    }

    /// The names that lead here, in lower case and without a port.
    let hosts: Set<String>
    /// Whether any numeric address leads here: one cannot be rebound.
    let allowsNumericHosts: Bool
    /// The port that it listens on.
    let port: Int
    /// Whether it speaks TLS.
    let usesTLS: Bool

    /// - Throws: ``Refusal``.
    func check(_ request: PageRequest) throws(Refusal) {
        guard let host = request.host?.lowercased(), isOurs(host) else { throw .foreignHost }
        // A link from elsewhere or a typed address opens a page, and no more.
        if request.method.changes, let site = request.fetchSite, site != "same-origin" {
            throw .foreignOrigin
        }
        guard let origin = request.origin else {
            guard !request.method.changes || request.fetchSite != nil else { throw .unknownOrigin }
            return
        }
        // Our pages tell nobody where a request comes from, so browsers send `null` for their forms.
        if origin == "null", request.fetchSite == "same-origin" { return }
        let own = "\(usesTLS ? "https" : "http")://\(host)"
        guard origin.lowercased() == own else { throw .foreignOrigin }
    }

    private func isOurs(_ host: String) -> Bool {
        guard let address = HostAndPort(host),
            address.port.map(Int.init) ?? (usesTLS ? 443 : 80) == port
        else { return false }
        if hosts.contains(address.host) { return true }
        return allowsNumericHosts && address.address != nil
    }
}
