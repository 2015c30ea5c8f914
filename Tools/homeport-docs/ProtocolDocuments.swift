import DeviceDomain
import DeviceMessages

/// The documents that are generated from the types: one JSON Schema for each payload, and one
/// AsyncAPI document of the topics.
enum ProtocolDocuments {
    /// The payloads in the order of PROTOCOL section 2.
    static let shapes: [PayloadShape] = [
        CommandMessage.shape, AckMessage.shape, StateMessage.shape, TelemetryMessage.shape,
        PresenceMessage.shape, DescriptionMessage.shape, EventMessage.shape,
        DesiredMessage.shape, HelloMessage.shape, FenceMessage.shape,
    ]

    /// Every file by its name; the same bytes on every run.
    static var files: [(name: String, bytes: [UInt8])] {
        var files = shapes.map { shape in
            (name: shape.schemaFileName, bytes: PrettyJSON.write(shape.schemaDocument))
        }
        files.append((name: "asyncapi.json", bytes: PrettyJSON.write(AsyncAPI.document)))
        return files
    }
}
