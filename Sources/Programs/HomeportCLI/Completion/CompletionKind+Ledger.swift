import ArgumentParser

extension CompletionKind {
    /// The devices that the ledger remembers.
    static var devices: CompletionKind {
        .custom { words, index, _ in CompletionRequest(words, index).devices() }
    }

    /// The rooms that the ledger has.
    static var rooms: CompletionKind {
        .custom { words, index, _ in CompletionRequest(words, index).rooms() }
    }

    /// The contexts of the configuration file.
    static var contexts: CompletionKind {
        .custom { words, index, _ in CompletionRequest(words, index).contexts() }
    }

    /// The columns of the list that a verb prints.
    static var columns: CompletionKind {
        .custom { words, _, _ in CompletionRequest.columns(of: words) }
    }

    /// What may stand at this place of `send`: a device, one of its commands, or an argument.
    ///
    /// Which it is follows from the words before it and not from the parameter that is completed:
    /// bash breaks words at `=` and `:`, so the generated script may count them wrongly.
    static var wordsOfSend: CompletionKind {
        .custom { words, index, _ in CompletionRequest(words, index).wordsOfSend() }
    }
}
