package import DeviceDomain

/// What devices and controllers may do at a broker (PROTOCOL section 1), as lines of mosquitto's `acl_file`.
///
/// The name of a device's user is `HOME/DEVICE`, that of a controller's is its id.
package enum BrokerAccess {
    /// What a device may do below its own part of the topics.
    private static let ofDevice = [
        ("write", "telemetry"), ("write", "state"), ("write", "ack/+"), ("write", "event/+"),
        ("readwrite", "presence"), ("write", "description"), ("read", "command"),
        ("read", "command/urgent"), ("read", "desired"),
    ]
    /// What a controller may do with the topics of each device, acks aside.
    private static let ofController = [
        ("read", "telemetry"), ("read", "state"), ("read", "event/+"), ("read", "presence"),
        ("read", "description"), ("write", "command"), ("write", "command/urgent"),
        ("readwrite", "desired"),
    ]

    /// The lines for every device, whatever its name.
    package static func devices(of homes: [HomeID]) -> [String] {
        ofDevice.map { "pattern \($0) homeport/v1/%u/\($1)" }
            + ["# mosquitto warns of patterns without a user's name."]
            + homes.map { "pattern read homeport/v1/\($0)/hello" }
    }

    /// The lines for a controller of a home, which reads no other controller's acks. The acks to
    /// `homeport doctor` are its own.
    package static func controller(_ controller: ControllerID, of home: HomeID) -> [String] {
        let topics = ofController.map { "topic \($0) homeport/v1/\(home)/+/\($1)" }
        return ["user \(controller)"] + topics + [
            "topic read homeport/v1/\(home)/+/ack/\(controller)",
            "topic read homeport/v1/\(home)/+/ack/\(controller.doctor)",
            "topic readwrite homeport/v1/\(home)/hello",
            "topic readwrite homeport/v1/\(home)/fence",
            // 'homeport doctor' measures below the fence, and reads the broker's version.
            "topic readwrite homeport/v1/\(home)/fence/+",
            "topic read $SYS/#",
        ] + homeAssistant(of: home)
    }

    /// What Home Assistant and the controller that announces the devices to it write and read, with the usual
    /// discovery prefix.
    private static func homeAssistant(of home: HomeID) -> [String] {
        [
            "topic readwrite homeport/home-assistant/\(home)/#",
            "topic readwrite homeassistant/+/homeport-\(home)/+/config",
            "topic readwrite homeassistant/status",
        ]
    }

    /// The lines for a user who may do nothing.
    package static func barred(_ user: String) -> [String] { ["user \(user)", "topic deny #"] }
}
