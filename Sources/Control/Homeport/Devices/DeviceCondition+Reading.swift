public import HomeModel

extension DeviceCondition {
    /// Reads a condition: a member, one of `< <= = >= > !=`, and a value.
    /// - Throws: ``HomeError`` `badCondition` if the text is none; the message says what to write.
    public init(_ text: String) throws(HomeError) {
        do {
            try self.init(reading: text)
        } catch {
            throw HomeError(.badCondition, error.description)
        }
    }
}
