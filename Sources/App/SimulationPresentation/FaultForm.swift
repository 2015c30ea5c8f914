public import DeviceDomain

/// The form that lets a fault happen, with what was entered into it.
public struct FaultForm: Hashable, Sendable {
    /// The fault.
    public let fault: PossibleFault
    /// The parameters; after them the time, for a fault that lasts.
    public private(set) var fields: [FaultField]

    /// The name of the field for the time.
    public static let duration = "for"

    init(_ fault: PossibleFault) {
        self.fault = fault
        fields = fault.parameters.map(FaultField.init) + (fault.lasts ? [.duration] : [])
    }

    /// Something was entered into a field; a name that is none is ignored.
    mutating func fieldChanged(_ name: String, to text: String) {
        guard let index = fields.firstIndex(where: { $0.name == name }) else { return }
        fields[index].text = text
        fields[index].isWrong = false
    }

    /// What was entered; `nil` where something is wrong, which the fields then say.
    mutating func order() -> FaultOrder? {
        var settings: [String: Double] = [:]
        var isComplete = true
        for index in fields.indices {
            switch fields[index].value {
            case .nothing: break
            case .number(let number): settings[fields[index].name] = number
            case .wrong:
                fields[index].isWrong = true
                isComplete = false
            }
        }
        guard isComplete else { return nil }
        let seconds = settings.removeValue(forKey: Self.duration)
        return FaultOrder(
            fault: fault.name, settings: settings, lasting: seconds.map(Duration.seconds))
    }
}

/// A number that is entered for a fault.
public struct FaultField: Hashable, Sendable {
    enum Value {
        case nothing
        case number(Double)
        case wrong
    }

    /// Its name.
    public let name: String
    /// Its unit, as people write it.
    public let unit: String
    /// The values that it may have, in that unit.
    public let range: ClosedRange<Double>
    /// What is used where nothing is entered; `nil` where the fault then stays until it is ended.
    public let usual: Double?
    /// What was entered.
    public internal(set) var text = ""
    /// Whether that is no number of the range.
    public internal(set) var isWrong = false

    init(_ parameter: FaultParameter) {
        self.init(
            name: parameter.name, unit: parameter.unit, range: parameter.range,
            usual: parameter.usual)
    }

    private init(name: String, unit: String, range: ClosedRange<Double>, usual: Double?) {
        self.name = name
        self.unit = unit
        self.range = range
        self.usual = usual
    }

    /// The time in s: from 1 ms to ten years, as fleets have it.
    static let duration = FaultField(
        name: FaultForm.duration, unit: "s", range: 0.001...315_360_000, usual: nil)

    var value: Value {
        let text = text.filter { $0 != " " }
        guard !text.isEmpty else { return .nothing }
        guard let number = Double(text), range.contains(number) else { return .wrong }
        return .number(number)
    }
}
