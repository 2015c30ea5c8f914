import Connectivity
import DeviceDomain
import DeviceMessages
import MQTTClient
import TestSupport

@testable import MatterAdapter

/// The home of the tests.
let home = HomeID.literal("home-1")
/// The channel of the tests.
let channelID = ChannelID.literal("house")

/// A device id of the tests.
func device(_ text: String) -> DeviceID {
    DeviceID(rawValue: text) ?? { preconditionFailure("a valid id") }()
}

/// JSON as servers write it.
func json(_ text: String) -> JSONValue {
    let value = try? JSONReader.read(
        Array(text.utf8), limits: ServerMessage.limits, largeIntegers: .digits)
    return value ?? { preconditionFailure("valid JSON: \(text)") }()
}

/// A node of a server.
func node(
    _ id: String, available: Bool = true, isBridge: Bool = false, _ attributes: String
) -> MatterNode {
    let text = FakeMatterServer.node(id, available: available, isBridge: isBridge, attributes)
    return MatterNode(json(text)) ?? { preconditionFailure("a valid node") }()
}

/// The devices of a node.
func devices(_ node: MatterNode) -> [MatterDevice] {
    MatterDevice.all(of: node, on: channelID, in: home)
}

/// The state of the first device of a node.
func state(_ node: MatterNode) -> JSONObject {
    guard let device = devices(node).first else { return [:] }
    return DeviceValues(device.place, device.profile.kind, in: node).members
}

/// An intent for a device.
func intent(
    _ name: String, _ arguments: JSONObject = [:], for device: DeviceID,
    sort: CommandSort = .setting, lifetime: Duration = .seconds(30)
) throws -> CommandIntent {
    let now = Timestamp(milliseconds: 1_764_000_000_000)
    return CommandIntent(
        id: CommandID(at: now), controller: try ControllerID("ctl"), home: home,
        device: device, name: CommandName(rawValue: name), arguments: arguments, sort: sort,
        issuedAt: now, expiresAt: now.advanced(by: lifetime))
}

/// The requests that a command of the first device of a node makes.
func requests(
    _ node: MatterNode, _ name: String, _ arguments: JSONObject = [:]
) throws(CommunicationError) -> [String] {
    let directory = CommandDirectory(channelID)
    let first = devices(node)[0]
    directory.update([first.id: first])
    guard let intent = try? intent(name, arguments, for: first.id) else { return [] }
    let payload = try directory.payload(of: intent)
    return payload.split(separator: CommandDirectory.lineEnd)
        .map { String(decoding: $0, as: UTF8.self) }
}

/// Attributes of nodes as servers list them.
enum Sample {
    static func basics(_ label: String, product: String, serial: String = "SN-1") -> String {
        """
        "0/29/0":[{"0":22,"1":1}],"0/40/1":"Maker","0/40/3":"\(product)","0/40/5":"\(label)",\
        "0/40/10":"1.2.3","0/40/15":"\(serial)","0/53/4":9430595440367257820,"0/40/19":null
        """
    }

    static let light = """
        \(basics("Desk", product: "Lamp")),"1/29/0":[{"0":269,"1":1}],"1/6/0":false,\
        "1/8/0":100,"1/8/2":2,"1/8/3":250,"1/768/7":250,"1/768/0":127,"1/768/1":254,\
        "1/768/8":2,"1/768/16394":17,"1/768/16395":150,"1/768/16396":454
        """
    static let plug = """
        \(basics("", product: "Energy Plug")),"1/29/0":[{"0":266,"1":1}],"1/6/0":true,\
        "2/29/0":[{"0":1296,"1":1}],"2/144/4":231500,"2/144/5":null,"2/144/8":-850000,\
        "2/145/1":{"0":2500000}
        """
    static let lock = """
        \(basics("Door", product: "Lock", serial: "****")),"1/29/0":[{"0":10,"1":1}],\
        "1/257/0":1,"1/257/3":1,"1/257/51":true,"1/6/0":false,"1/47/12":171
        """
    static let cover = """
        \(basics("Blind", product: "Blind")),"1/29/0":[{"0":514,"1":1}],"1/258/14":2500,\
        "1/258/10":0,"1/258/65532":5
        """
    static let thermostat = """
        \(basics("Hall", product: "Thermostat")),"1/29/0":[{"0":769,"1":1}],"1/513/0":2150,\
        "1/513/17":2600,"1/513/18":2000,"1/513/21":500,"1/513/22":2800,"1/513/27":4,\
        "1/513/28":4,"1/513/65532":null,"1/6/0":true
        """
    static let robot = """
        \(basics("Robbie", product: "Vacuum")),"1/29/0":[{"0":116,"1":1},{"0":17,"1":1}],"1/3/0":0,\
        "1/84/0":[{"0":"Idle","1":1,"2":[{"1":16384}]},{"0":"Cleaning","1":2,"2":[{"1":16385}]}],\
        "1/84/1":1,"1/85/0":[{"0":"Deep Clean","1":5,"2":[{"1":16384}]},\
        {"0":"Vacuum","1":6,"2":[{"1":16385}]}],"1/85/1":6,\
        "1/97/3":[{"0":0},{"0":1},{"0":130,"1":"Washing Mop"}],"1/97/4":66,\
        "1/97/5":{"0":130,"1":"Brush tangled","2":null},"1/97/65529":[0,3,128],"1/47/12":200,\
        "1/336/0":[{"0":4294967295,"1":null,"2":{"0":{"0":"Kitchen","1":0,"2":52},"1":null}},\
        {"0":2,"1":null,"2":{"0":{"0":"Hall","1":0,"2":null},"1":null}}],"1/336/2":[],"1/336/3":2
        """
    static let evse = """
        \(basics("Car", product: "Wallbox")),"1/29/0":[{"0":1292,"1":1}],"1/153/0":3,\
        "1/153/1":1,"1/153/5":32000,"1/153/6":6000,"1/153/7":0,"1/153/66":1500000
        """
    static let bridge = """
        \(basics("Hub", product: "Bridge")),"1/29/0":[{"0":14,"1":1}],\
        "3/29/0":[{"0":19,"1":1},{"0":257,"1":1}],"3/6/0":true,"3/8/0":254,\
        "3/57/3":"Bulb","3/57/5":"Porch","3/57/17":true,\
        "4/29/0":[{"0":19,"1":1},{"0":21,"1":1}],"4/57/3":"Contact","4/57/5":"","4/57/17":false,\
        "4/69/0":false
        """
}
