internal import DeviceDomain
internal import YAMLText

/// The member `energy` of a configuration file.
///
/// ```yaml
/// energy:
///   currency: EUR
///   price: 0.32
///   feed-in: 0.08
///   periods:
///     - {from: "22:00", to: "06:00", price: 0.22}
///     - {from: "11:00", to: "15:00", days: sat-sun, price: 0.18}
/// ```
extension EnergyTariff {
    /// The longest text of a currency.
    private static let longestCurrency = 8

    init(_ node: YAMLNode) throws(YAMLProblem) {
        let members = try node.members(["currency", "price", "feed-in", "periods"])
        let currency = try node.required("currency", of: members)
        let text = try currency.text()
        guard text.count <= Self.longestCurrency else {
            throw currency.error(
                "a currency has at most \(Self.longestCurrency) characters; write it as EUR or CNY")
        }
        self.init(
            currency: text, price: try node.required("price", of: members).price(),
            feedIn: try members["feed-in"]?.price() ?? 0,
            periods: try members["periods"]?.items().map { node throws(YAMLProblem) in
                try Period(node)
            } ?? [])
    }
}

extension EnergyTariff.Period {
    fileprivate init(_ node: YAMLNode) throws(YAMLProblem) {
        let members = try node.members(["from", "to", "days", "price"])
        let days = try members["days"].map { node throws(YAMLProblem) -> Set<Weekday> in
            guard let days = Set<Weekday>(try node.text()) else {
                throw node.error("these are no days; write them as mon,tue or mon-fri")
            }
            return days
        }
        self.init(
            from: try node.required("from", of: members).timeOfDay(),
            until: try node.required("to", of: members).timeOfDay(),
            days: days ?? Set(Weekday.allCases),
            price: try node.required("price", of: members).price())
    }
}

extension YAMLNode {
    /// An amount of money for a kWh.
    fileprivate func price() throws(YAMLProblem) -> Double {
        guard let price = Double(try text()), (-1_000...1_000).contains(price) else {
            throw error("a price is a number from -1000 to 1000 for a kWh, such as 0.32")
        }
        return price
    }

    fileprivate func timeOfDay() throws(YAMLProblem) -> TimeOfDay {
        guard let time = TimeOfDay(try text()) else {
            throw error("a time of day is HH:MM in quotation marks, such as \"22:00\"")
        }
        return time
    }
}
