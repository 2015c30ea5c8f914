import ArgumentParser
import Homeport
import TerminalOutput

/// A command line that a shell wants to complete, and what the ledger knows for it.
///
/// Nothing is connected and nothing is written; where the ledger cannot be read there are no
/// candidates. The shell leaves out those that do not begin with what was typed.
struct CompletionRequest {
    let line: CompletionLine

    /// - Parameters:
    ///   - words: the line as the shell breaks it into words, the program first.
    ///   - index: the word to complete.
    init(_ words: [String], _ index: Int) { line = CompletionLine(words, index) }

    /// The rooms whose names are one word.
    func rooms() -> [String] { remembered().labels.rooms.map(\.text).filter(\.isPlainWord) }

    /// The contexts of the configuration file.
    func contexts() -> [String] {
        let file = try? CommonOptions.parse(given("--config")).configurationFile()
        return file?.contexts.map(\.name) ?? []
    }

    /// The columns of the list that a verb prints, in lower case.
    static func columns(of words: [String]) -> [String] {
        let columns =
            switch words.dropFirst().first {
            case "devices": DevicesRenderer.columns
            case "history": HistoryRenderer.columns
            case "queue": HistoryRenderer.columnsOfQueue
            case "channels": ChannelsRenderer.columns
            case "schedule": SchedulesRenderer.columns
            case "rule": RulesRenderer.columns
            case "identity": IdentityRenderer.columns
            case "keychain": KeychainRenderer.columns
            case "room": RoomsRenderer.columns
            case "context": ContextsRenderer.columns
            default: [TextTable.Column]()
            }
        return columns.map { $0.title.lowercased() }.filter(\.isPlainWord)
    }

    /// The ids of the devices, and those names that are one word and belong to one device.
    func devices() -> [String] {
        let profiles = rememberedProfiles()
        let names = Dictionary(grouping: profiles, by: \.name).filter { name, owners in
            owners.count == 1 && name.isPlainWord
        }
        let ids = profiles.map(\.id.text)
        return ids + Set(names.keys).subtracting(ids).sorted()
    }

    /// What may stand at the place of `send` that is completed.
    func wordsOfSend() -> [String] {
        let former = line.positionals
        if line.option == "--set" { return arguments(of: former) }
        switch former.count {
        case 0: return devicesOfList()
        case 1: return commands(of: former[0])
        default: return arguments(of: former)
        }
    }

    /// The devices, behind those of a list that were typed already.
    private func devicesOfList() -> [String] {
        guard let comma = line.current.lastIndex(of: ",") else { return devices() }
        let start = line.current[...comma]
        let listed = Set(start.split(separator: ",").map(String.init))
        return devices().filter { !listed.contains($0) }.map { start + $0 }
    }

    private func commands(of list: String) -> [String] {
        let device = String(list.prefix { $0 != "," })
        // Controllers use these themselves.
        let internalCommands: Set<CommandName> = [.queryCommands, .cancelCommand]
        return profile(of: device)?.commands.map(\.name)
            .filter { !internalCommands.contains($0) }.map(\.rawValue)
            .filter(\.isPlainWord).sorted() ?? []
    }

    private func arguments(of words: [String]) -> [String] {
        guard words.count >= 2, let profile = profile(of: String(words[0].prefix { $0 != "," })),
            let schema = profile.specification(of: CommandName(rawValue: words[1]))?.arguments
        else { return [] }
        if let name = line.splitName { return schema.properties[name]?.candidates ?? [] }
        let given = Set((words.dropFirst(2) + line.values(of: "--set")).map(\.nameBeforeSign))
        let names = schema.properties.keys.filter { $0.isPlainWord && !given.contains($0) }
        return names.sorted().flatMap { name in
            let values = schema.properties[name]?.candidates ?? []
            return values.isEmpty ? ["\(name)="] : values.map { "\(name)=\($0)" }
        }
    }

    func profile(of reference: String) -> DeviceProfile? {
        let profiles = rememberedProfiles()
        if let profile = profiles.first(where: { $0.id.text == reference }) { return profile }
        let owners = profiles.filter { $0.name.lowercased() == reference.lowercased() }
        return owners.count == 1 ? owners[0] : nil
    }

    /// The devices of the home and ledger that the line names, else the usual ones.
    func rememberedProfiles() -> [DeviceProfile] {
        let (devices, labels) = remembered()
        return devices.map { $0.profile.named(labels[$0.profile.id].name) }
    }

    func remembered() -> (devices: [RememberedDevice], labels: HomeLabels) {
        read { ledger, home, _ in try ledger.remembered(of: home) } ?? ([], HomeLabels())
    }

    /// Reads the ledger that the line names, else the usual one; `nil` where that cannot be read.
    func read<Value>(
        _ body: (LedgerLocation, HomeID, ControllerID) throws -> Value
    ) -> Value? {
        do {
            let options = try VerbOptions(
                common: CommonOptions.parse(given("--home", "--config", "--context")),
                ledger: LedgerOptions.parse(given("--database", "--controller")),
                broker: BrokerOptions.parse([])
            ).inContext()
            let file = try options.common.configurationFile()
            return try body(
                options.ledgerLocation(file), try options.resolvedHome(file),
                try options.resolvedController(file))
        } catch {
            return nil
        }
    }

    /// Options as the line has them, each with its last value.
    private func given(_ options: String...) -> [String] {
        options.flatMap { name in line.values(of: name).last.map { [name, $0] } ?? [] }
    }
}

extension ArgumentSchema {
    /// The longest range of numbers that is listed.
    private static let listedNumbers = 10.0

    /// The values that are allowed, where they are few.
    fileprivate var candidates: [String] {
        if let allowed { return allowed.map(\.brief).filter(\.isPlainWord) }
        guard presets.isEmpty else { return presets.map(\.name).filter(\.isPlainWord) }
        switch type {
        case .boolean: return ["true", "false"]
        case .integer:
            guard let minimum, let maximum, maximum - minimum < Self.listedNumbers else {
                return []
            }
            return stride(from: minimum, through: maximum, by: 1).map {
                JSONValue.number($0).brief
            }
        case .object, .array, .string, .number, .null, nil: return []
        }
    }
}

extension String {
    /// Whether every shell takes it as one word without quotes. Devices choose names as they like,
    /// and what a device says must never become a part of a script.
    var isPlainWord: Bool {
        !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    }

    fileprivate var nameBeforeSign: String { String(prefix { $0 != "=" }) }
}
