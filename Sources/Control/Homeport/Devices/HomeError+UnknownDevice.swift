internal import DeviceDomain
internal import DeviceMessages

extension HomeError {
    /// Nothing is known of a device.
    /// - Parameters:
    ///   - reference: what the user typed.
    ///   - place: where it was looked for: the home, and its brokers where they were asked.
    ///   - known: the devices that are known there, with their names.
    ///   - doubt: why the device may be there all the same; `nil` where it cannot.
    static func unknownDevice(
        _ reference: String, in place: String, among known: [(id: DeviceID, name: String?)] = [],
        doubt: String? = nil
    ) -> HomeError {
        var question = Suggestion.question(about: reference, among: known.map(\.id.text))
        if question.isEmpty {
            question = Suggestion.question(about: reference, among: known.compactMap(\.name))
        }
        // A name with blanks would run into the sentence.
        let name = DeviceID(rawValue: reference) == nil ? "\"\(reference)\"" : reference
        let form =
            CommandID(reference) == nil ? "" : " (it has the form of the id of a command or group)"
        let doubt = doubt.map { " (\($0))" } ?? ""
        return HomeError(
            .unknownDevice, "no device \(name)\(form) is known in \(place)\(doubt)\(question)")
    }

    /// Several devices have a name.
    static func ambiguousName(_ name: String, _ devices: [DeviceID]) -> HomeError {
        let ids = devices.map(\.text).joined(separator: ", ")
        return HomeError(
            .ambiguousName,
            "\(devices.count) devices are called \(name): \(ids); use one of these ids")
    }
}
