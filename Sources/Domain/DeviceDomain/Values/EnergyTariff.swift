/// What electrical energy costs: one price, or prices by time of use.
public struct EnergyTariff: Hashable, Sendable {
    /// A price for some hours of some days.
    public struct Period: Hashable, Sendable {
        /// When it begins.
        public let from: TimeOfDay
        /// When it ends; at or before ``from`` it ends on the next day.
        public let until: TimeOfDay
        /// The days on which it begins.
        public let days: Set<Weekday>
        /// The price of a kWh from the grid.
        public let price: Double

        public init(from: TimeOfDay, until: TimeOfDay, days: Set<Weekday>, price: Double) {
            self.from = from
            self.until = until
            self.days = days
            self.price = price
        }

        /// Whether it has a time of a day.
        fileprivate func contains(_ time: TimeOfDay, on day: Weekday) -> Bool {
            if from < until { return days.contains(day) && from <= time && time < until }
            return (days.contains(day) && time >= from)
                || (days.contains(day.before) && time < until)
        }
    }

    /// What is paid in, as it stands behind an amount, such as `EUR`.
    public let currency: String
    /// The price of a kWh from the grid where no period has another one.
    public let price: Double
    /// What is paid for a kWh into the grid.
    public let feedIn: Double
    /// Other prices; of several for one time the first one counts.
    public let periods: [Period]

    public init(currency: String, price: Double, feedIn: Double = 0, periods: [Period] = []) {
        self.currency = currency
        self.price = price
        self.feedIn = feedIn
        self.periods = periods
    }

    /// The price of a kWh from the grid at a time of a day.
    public func price(at time: TimeOfDay, on day: Weekday) -> Double {
        periods.first { $0.contains(time, on: day) }?.price ?? price
    }
}

extension Weekday {
    fileprivate var before: Weekday { Weekday.allCases[(rawValue + 5) % 7] }
}
