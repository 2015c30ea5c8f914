import ArgumentParser
import Homeport

// The usual command line, read without the parser: that looks at the types of all options at run time,
// which takes a third of the time of a process that sends one command.
extension SendVerb {
    static func call(_ words: [String]) -> SendVerb? { SendVerb(plain: words) ?? parsed(words) }

    /// Reads `DEVICE COMMAND [key=value …]` with the options of ``PlainLine`` and no others.
    /// - Returns: `nil` for every other command line and for a wrong one, which the parser reads.
    init?(plain words: [String]) {
        guard let line = PlainLine(words), line.words.count > 1,
            let home = line.value(of: "--home", HomeID.init(rawValue:)),
            let controller = line.value(of: "--controller", ControllerID.init(rawValue:)),
            let wait = line.value(of: "--wait", WaitTarget.init(rawValue:))
        else { return nil }
        self.init()
        (device, command) = (line.words[0], line.words[1])
        assignments = Array(line.words.dropFirst(2))
        selection = .unset
        given = ArgumentOptions()
        given.setAssignments = []
        sending = SendOptions()
        (sending.expires, sending.dryRun) = (nil, false)
        waiting = GoalOptions()
        (waiting.wait, waiting.waitTimeout) = (wait, nil)
        common = CommonOptions()
        (common.home, common.config) = (home, nil)
        (common.json, common.verbose) = (line.isJSON, false)
        ledger = LedgerOptions()
        (ledger.controller, ledger.database) = (controller, line.options["--database"])
        broker = .unset
        broker.broker = line.options["--broker"]
        guard (try? validate()) != nil else { return nil }
    }
}

/// A command line of words, `--json`, and some options with a value, each at most once.
struct PlainLine {
    private static let names: Set<String> = [
        "--broker", "--controller", "--database", "--home", "--wait",
    ]

    /// What is neither an option nor its value.
    let words: [String]
    /// The values of the options that are given.
    let options: [String: String]
    /// Whether `--json` is given.
    let isJSON: Bool

    /// - Returns: `nil` for a command line with anything else in it.
    init?(_ line: [String]) {
        var (words, options, isJSON) = ([String](), [String: String](), false)
        var rest = line[...]
        while let word = rest.popFirst() {
            if word == "--json", !isJSON {
                isJSON = true
            } else if Self.names.contains(word), options[word] == nil,
                let value = rest.popFirst(), Self.isPlain(value)
            {
                options[word] = value
            } else if Self.isPlain(word) {
                words.append(word)
            } else {
                return nil
            }
        }
        (self.words, self.options, self.isJSON) = (words, options, isJSON)
    }

    private static func isPlain(_ word: String) -> Bool { !word.isEmpty && !word.hasPrefix("-") }

    /// The value of an option that is not a text: `.some(nil)` where it is not given, `nil` where the text
    /// is wrong.
    func value<Value>(of name: String, _ read: (String) -> Value?) -> Value?? {
        guard let text = options[name] else { return .some(nil) }
        return read(text).map { .some($0) }
    }
}

extension SelectionOptions {
    /// One device is meant.
    fileprivate static var unset: SelectionOptions {
        var options = SelectionOptions()
        (options.all, options.retry) = (false, nil)
        options.filtering = FilterOptions()
        (options.filtering.kind, options.filtering.conditions) = (nil, [])
        return options
    }
}

extension BrokerOptions {
    /// No option is given.
    fileprivate static var unset: BrokerOptions {
        var options = BrokerOptions()
        (options.broker, options.mqttVersion, options.connectTimeout) = (nil, nil, nil)
        (options.caFile, options.certFile, options.keyFile) = (nil, nil, nil)
        (options.tlsServerName, options.credentialsFile) = (nil, nil)
        return options
    }
}
