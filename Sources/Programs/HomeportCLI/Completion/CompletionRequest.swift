import ArgumentParser
import Homeport

/// A command line that a shell wants to complete, and what the ledger knows for it.
///
/// Nothing is connected and nothing is written; where the ledger cannot be read there are no
/// candidates. The shell leaves out those that do not begin with what was typed.
struct CompletionRequest {
    private let line: CompletionLine

    /// - Parameters:
    ///   - words: the line as the shell breaks it into words, the program first.
    ///   - index: the word to complete.
    init(_ words: [String], _ index: Int) { line = CompletionLine(words, index) }

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
        case 0: return devices()
        case 1: return commands(of: former[0])
        default: return arguments(of: former)
        }
    }

    private func commands(of device: String) -> [String] {
        // Controllers use these themselves.
        let internalCommands: Set<CommandName> = [.queryCommands, .cancelCommand]
        return profile(of: device)?.commands.map(\.name)
            .filter { !internalCommands.contains($0) }.map(\.rawValue)
            .filter(\.isPlainWord).sorted() ?? []
    }

    private func arguments(of words: [String]) -> [String] {
        guard words.count >= 2, let profile = profile(of: words[0]),
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

    private func profile(of reference: String) -> DeviceProfile? {
        let profiles = rememberedProfiles()
        if let profile = profiles.first(where: { $0.id.text == reference }) { return profile }
        let owners = profiles.filter { $0.name.lowercased() == reference.lowercased() }
        return owners.count == 1 ? owners[0] : nil
    }

    /// The devices of the home and ledger that the line names, else the usual ones.
    private func rememberedProfiles() -> [DeviceProfile] {
        do {
            let options = VerbOptions(
                common: try CommonOptions.parse(given("--home", "--config")),
                ledger: try LedgerOptions.parse(given("--database")),
                broker: try BrokerOptions.parse([]))
            let file = try options.common.configurationFile()
            let home = try options.resolvedHome(file)
            return try options.ledgerLocation(file).rememberedDevices(of: home).map(\.profile)
        } catch {
            return []
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
    fileprivate var isPlainWord: Bool {
        !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    }

    fileprivate var nameBeforeSign: String { String(prefix { $0 != "=" }) }
}
