import Alink
import Connectivity
import DeviceDomain
import DeviceMessages
import Testing

/// A product with a property of each sort, two services and an event.
enum Sample {
    static let product = "a1B2c3D4e5F"
    static let text = """
        {"properties":[
        {"identifier":"Power","accessMode":"rw","dataType":{"type":"bool","specs":{"0":"off","1":"on"}}},
        {"identifier":"Level","accessMode":"rw","dataType":{"type":"float","specs":{"min":"0","max":"100","step":"0.5"}}},
        {"identifier":"Mode","accessMode":"rw","dataType":{"type":"enum","specs":{"0":"quiet","1":"turbo"}}},
        {"identifier":"Secret","accessMode":"w","dataType":{"type":"int","specs":{"min":"0","max":"9"}}},
        {"identifier":"Heat","accessMode":"r","dataType":{"type":"double","specs":{"min":"-50","max":"200"}}}],
        "services":[
        {"identifier":"clean","method":"thing.service.clean","callType":"async",
        "inputData":[{"identifier":"room","dataType":{"type":"int","specs":{"min":"1","max":"9"}}}],
        "outputData":[{"identifier":"minutes","dataType":{"type":"int","specs":{}}}]}],
        "events":[
        {"identifier":"overHeat","type":"alert","method":"thing.event.overHeat.post",
        "outputData":[{"identifier":"Heat","dataType":{"type":"double","specs":{}}}]}]}
        """
    static let lamp = name("lamp-1")

    /// The product by its key.
    static let products: [ProductKey: ThingProduct] = {
        do {
            return [key: ThingProduct(key, try ThingModel(Array(text.utf8)))]
        } catch {
            preconditionFailure("the sample is a thing model: \(error)")
        }
    }()

    /// A device of the product.
    static func name(_ device: String) -> ThingName {
        ThingName(product: key, device: device) ?? { preconditionFailure("a valid name") }()
    }

    private static let key = ProductKey(product) ?? { preconditionFailure("a valid key") }()
}

/// The home of the tests.
let home = HomeID(rawValue: "home-1") ?? { preconditionFailure("a valid id") }()

/// When the commands of the tests were made.
let issued = Timestamp(milliseconds: 1_764_000_000_000)

/// A command for the lamp.
func intent(
    _ name: String, _ arguments: JSONObject = [:], isDryRun: Bool = false, ifRevision: Int? = nil
) throws -> CommandIntent {
    return CommandIntent(
        id: CommandID(at: issued), controller: try ControllerID("ctl"),
        home: home, device: Sample.lamp.deviceID, name: CommandName(rawValue: name),
        arguments: arguments, sort: .setting, issuedAt: issued,
        expiresAt: issued.advanced(by: .seconds(30)), ifRevision: ifRevision, isDryRun: isDryRun)
}
