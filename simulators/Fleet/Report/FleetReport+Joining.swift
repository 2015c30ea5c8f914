import DeviceDomain

// Reports of the shards of one fleet.
extension FleetReport {
    /// Joins the reports of shards into the report that the whole fleet would have had.
    ///
    /// Figures are those of the merged histograms. An assertion holds where it held in every part, which judged its own
    /// devices.
    /// - Parameter parts: the reports, each with the name that errors give it; at least one.
    /// - Throws: ``FleetError`` where they do not belong to one run: seed, epoch or scenario differ, or two have the
    ///   same device.
    package static func joining(
        _ parts: [(name: String, report: FleetReport)]
    ) throws(FleetError) -> FleetReport {
        guard let first = parts.first else {
            throw FleetError(.unusableFile, "there is no report to join")
        }
        var owners: [DeviceKey: String] = [:]
        for part in parts {
            try part.report.checkBelonging(to: first, called: part.name)
            for device in part.report.devices {
                if let owner = owners.updateValue(part.name, forKey: device.key) {
                    throw FleetError(
                        .unusableFile,
                        "\(owner) and \(part.name) both have \(device.key): join each part of the "
                            + "fleet once")
                }
            }
        }
        var whole = FleetReport(
            seed: first.report.seed, epoch: first.report.epoch,
            world: parts.map(\.report.world).max() ?? .zero,
            wall: parts.map(\.report.wall).max() ?? .zero)
        whole.scenario = first.report.scenario
        whole.assertions = joined(parts.map(\.report.assertions))
        for assertion in parts.flatMap(\.report.leftOut)
        where !whole.leftOut.contains(where: { $0.name == assertion.name }) {
            whole.leftOut.append(assertion)
        }
        let speeds = Set(parts.map(\.report.askedSpeed))
        whole.askedSpeed = speeds.count == 1 ? first.report.askedSpeed : nil
        for line in parts.flatMap(\.report.lines) { whole.add(line) }
        whole.arrangeByHomes()
        return whole
    }

    private func checkBelonging(
        to first: (name: String, report: FleetReport), called name: String
    ) throws(FleetError) {
        let (one, other) = (first.report, self)
        let difference: String? =
            if one.seed != other.seed {
                "--seed \(one.seed) and \(other.seed)"
            } else if one.epoch != other.epoch {
                "--epoch \(one.epoch) and \(other.epoch)"
            } else if one.scenario != other.scenario { "another scenario" } else { nil }
        guard let difference else { return }
        throw FleetError(
            .unusableFile,
            "\(first.name) and \(name) are of different runs: \(difference); start all shards with "
                + "the same options")
    }

    /// Of each assertion one outcome: the first that failed, else the first.
    private static func joined(_ parts: [[AssertionOutcome]]) -> [AssertionOutcome] {
        var outcomes: [AssertionOutcome] = []
        for outcome in parts.joined() {
            guard let place = outcomes.firstIndex(where: { $0.name == outcome.name }) else {
                outcomes.append(outcome)
                continue
            }
            if outcomes[place].passed, !outcome.passed { outcomes[place] = outcome }
        }
        return outcomes
    }

    /// In the order of a plan: home after home by their numbers, each with its devices as its part has them.
    private mutating func arrangeByHomes() {
        let homes = Set(devices.map(\.home)).sorted { HomeRank($0) < HomeRank($1) }
        let ranks = Dictionary(uniqueKeysWithValues: homes.enumerated().map { ($1, $0) })
        let order = devices.enumerated().sorted {
            (ranks[$0.element.home] ?? 0, $0.offset) < (ranks[$1.element.home] ?? 0, $1.offset)
        }
        let places = Dictionary(
            uniqueKeysWithValues: order.enumerated().map { ($1.element.key, $0) })
        arrange { places[$0] ?? 0 }
    }
}

/// Where a home stands among others: by its word, then by the number behind it.
private struct HomeRank: Comparable {
    private let word: Substring
    private let number: Int

    init(_ home: HomeID) {
        let digits = home.text.reversed().prefix { $0.isASCII && $0.isNumber }.count
        word = home.text.dropLast(digits)
        number = Int(home.text.suffix(digits)) ?? 0
    }

    static func < (left: HomeRank, right: HomeRank) -> Bool {
        (left.word, left.number) < (right.word, right.number)
    }
}
