/// The check digit of a manual pairing code, by Verhoeff's algorithm (Matter core specification 1.4, 5.1.4.1.5). It
/// finds every wrong digit and every two neighbours that are exchanged.
enum CheckDigit {
    /// The permutation of digits that is applied once more with each place (J. Verhoeff, 1969).
    private static let permutation = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]

    /// Whether the last one of some digits fits the others.
    static func isRight(_ digits: [Int]) -> Bool {
        var sum = 0
        for (place, digit) in digits.reversed().enumerated() {
            sum = product(sum, permuted(digit, place % 8))
        }
        return sum == 0
    }

    private static func permuted(_ digit: Int, _ times: Int) -> Int {
        (0..<times).reduce(digit) { digit, _ in permutation[digit] }
    }

    /// The product in the group of the ten symmetries of a pentagon: 0 to 4 turn it, 5 to 9 turn it over as well.
    private static func product(_ left: Int, _ right: Int) -> Int {
        switch (left < 5, right < 5) {
        case (true, true): (left + right) % 5
        case (true, false): 5 + (left + right) % 5
        case (false, true): 5 + (left - right) % 5
        case (false, false): (left - right + 5) % 5
        }
    }
}
