package import DeviceDomain

extension ControllerID {
    /// Under which name `homeport doctor` asks the devices for this controller, so that no other process takes
    /// the answers for its own, and a broker's access control can let it read them.
    package var doctor: ControllerID {
        let name = String("doctor-\(text)".prefix(Self.longestText))
        guard let id = ControllerID(rawValue: name) else {
            preconditionFailure("\(name) is a valid identifier")
        }
        return id
    }

    /// Of an identifier, in characters (PROTOCOL section 1).
    private static var longestText: Int { 63 }
}
