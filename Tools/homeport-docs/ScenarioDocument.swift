import DeviceDomain
import Scenarios

/// The document that is generated from the members of scenarios: their JSON Schema, as
/// `homeport-sim validate --schema` prints it.
enum ScenarioDocument {
    /// Its name in the folder of the documents.
    static let name = "scenario.schema.json"

    /// The same bytes on every run.
    static var bytes: [UInt8] {
        var schema = ScenarioShape.schema
        schema["$id"] = .string(name)
        return PrettyJSON.write(.object(schema))
    }
}
