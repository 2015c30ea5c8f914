import DeviceDomain

/// What became of an assertion of a scenario.
package struct AssertionOutcome: Hashable, Sendable {
    /// What the scenario calls it.
    package let name: String
    /// What it is about, such as `online-share`.
    package let metric: String
    /// Whether what was found is within its bounds.
    package let passed: Bool
    /// What was found, in the unit of the metric; `nil` where there was nothing to measure.
    package let found: Double?
    /// For people: what was expected, when and of what devices, and, where it failed, at which device and instant.
    package let text: String

    package init(name: String, metric: String, passed: Bool, found: Double?, text: String) {
        self.name = name
        self.metric = metric
        self.passed = passed
        self.found = found
        self.text = text
    }

    /// As a report has it.
    var members: JSONObject {
        [
            "name": .string(name), "metric": .string(metric), "passed": .boolean(passed),
            "found": found.map(JSONValue.number) ?? .null, "text": .string(text),
        ]
    }
}

/// An assertion of a scenario that was not checked, because the run could not measure what it is about.
package struct UncheckedAssertion: Hashable, Sendable {
    /// What the scenario calls it.
    package let name: String
    /// What it is about, such as `online-share`.
    package let metric: String
    /// Why it was left out, for people.
    package let reason: String

    package init(name: String, metric: String, reason: String) {
        self.name = name
        self.metric = metric
        self.reason = reason
    }

    /// As a report has it.
    var members: JSONObject {
        ["name": .string(name), "metric": .string(metric), "reason": .string(reason)]
    }

    /// What a report says; `nil` where that is no assertion.
    init?(_ members: JSONObject) {
        guard let name = members["name"]?.string, let metric = members["metric"]?.string else {
            return nil
        }
        self.init(name: name, metric: metric, reason: members["reason"]?.string ?? "")
    }
}
