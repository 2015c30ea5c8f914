internal import DeviceMessages

extension String {
    /// The text with its line breaks as blanks.
    package var onOneLine: String {
        String(map { $0.isNewline ? " " : $0 }).printable
    }
}
