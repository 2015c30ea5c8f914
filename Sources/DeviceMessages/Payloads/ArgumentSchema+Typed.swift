public import DeviceDomain

extension ArgumentSchema {
    /// The value that a text stands for which somebody typed: JSON where it parses as JSON and this schema takes
    /// that JSON, else the text itself, as `1234` for a text.
    ///
    /// What the schema takes in neither form is JSON if it parses, so that the check can say what is wrong.
    public func value(typed text: String) -> JSONValue {
        let typed = JSONValue.string(text)
        guard let json = try? JSONReader.read(Array(text.utf8)) else { return typed }
        return !accepts(json) && accepts(typed) ? typed : json
    }
}
