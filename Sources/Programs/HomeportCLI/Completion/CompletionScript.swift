/// A generated completion script, with what bash needs for words with `=`.
enum CompletionScript {
    /// The end of the parser's script for bash.
    private static let registration = "complete -o filenames -F _homeport homeport"

    /// The parser has bash treat candidates as file names. Bash then quotes their `=`, and puts a
    /// blank behind `rooms=`, where the value is to follow.
    private static let registrationOfWords = """
        __homeport_complete() {
            _homeport "${@}"
            [[ "${COMPREPLY[*]}" != *=* ]] || compopt +o filenames
            [[ "${#COMPREPLY[@]}" -ne 1 || "${COMPREPLY[0]}" != *= ]] || compopt -o nospace
        }

        complete -o filenames -F __homeport_complete homeport
        """

    /// The script as it is printed; other texts stay as they are.
    static func adapted(_ script: String) -> String {
        guard script.hasSuffix(registration) else { return script }
        return script.dropLast(registration.count) + registrationOfWords
    }
}
