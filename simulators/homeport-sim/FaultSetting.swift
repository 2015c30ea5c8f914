import ArgumentParser
import DeviceDomain
import DeviceMessages

/// A parameter of a fault as it is typed: `key=value`.
struct FaultSetting {
    let name: String
    /// Its value: JSON where the text parses as JSON, else the text itself.
    let value: JSONValue

    /// - Throws: `ValidationError` where there is no `=` or no key.
    init(_ text: String) throws {
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
            throw ValidationError("write key=value, as in percent=5")
        }
        let typed = String(text[text.index(after: sign)...])
        name = String(text[..<sign])
        value = (try? JSONReader.read(Array(typed.utf8))) ?? .string(typed)
    }

    /// The parameters of a fault.
    /// - Throws: `ValidationError` where one is given twice.
    static func settings(_ all: [FaultSetting]) throws -> JSONObject {
        var settings: JSONObject = [:]
        for setting in all where settings.updateValue(setting.value, forKey: setting.name) != nil {
            throw ValidationError("\(setting.name) is given twice; give it once")
        }
        return settings
    }
}
