extension Console {
    /// How results are laid out now: the user may have resized the terminal.
    var layout: Layout { Layout(width: terminalSize?.columns, usesColour: screen.usesColour) }

    /// The size of the terminal that stdout is; `nil` for a file or pipe.
    var terminalSize: TerminalSize? { screen.size() }

    /// Whether stdout is a terminal that knows control sequences.
    var movesCursor: Bool { screen.movesCursor }
}
