internal import DeviceDomain

extension UserAction {
    /// What the user of the command line is to do.
    var instruction: String {
        switch self {
        case .retryPassword: "give the right Wi-Fi password"
        case .moveCloser: "check the network's name, and bring the device nearer to its router"
        case .pressReset: "put the device into its set-up mode, and try again"
        case .checkLabel: "check the code on the device's label"
        case .joinAccessPoint: "join the device's access point by hand"
        case .allowSecurity0: "allow it with --security 0 if nobody else is near"
        case .allowWeakSession:
            "update the device's firmware, or allow it with --allow-weak-session if nobody else is near"
        case .chooseName: "choose another name with --device"
        case .checkBroker: "check that the broker runs and how it is reached"
        case .checkServer: "check that the Matter server runs and how it is reached"
        case .checkStorage: "put that in order, and run it again"
        case .runAgain: "run it again"
        case .contact: "ask the maker of the device"
        }
    }
}
