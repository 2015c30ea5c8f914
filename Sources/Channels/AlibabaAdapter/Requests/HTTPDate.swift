internal import DeviceDomain

/// The header `Date` of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
struct HTTPDate: Hashable, Sendable {
    /// To the second.
    let time: Timestamp

    /// `nil` for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT",
            let month = Self.months.firstIndex(of: String(parts[2])),
            let day = Int(parts[1]), let year = Int(parts[3]), parts[3].count == 4
        else { return nil }
        let date = "\(year)-\(Self.twoDigits(month + 1))-\(Self.twoDigits(day))"
        guard let time = Timestamp("\(date)T\(parts[4])Z") else { return nil }
        self.time = time
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
