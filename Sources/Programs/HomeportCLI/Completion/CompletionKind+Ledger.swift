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

    /// The kinds of devices.
    static var kinds: CompletionKind {
        .custom { words, index, _ in CompletionRequest(words, index).kinds() }
    }

    /// The members of what devices report, with which a condition begins.
    static var members: CompletionKind {
        .custom { words, index, _ in CompletionRequest(words, index).members() }
    }

    /// The rules that the ledger has.
    static var rules: CompletionKind {
        .custom { words, index, _ in CompletionRequest(words, index).rules() }
    }

    /// What may let a rule run.
    static var ruleTriggers: CompletionKind {
        .custom { words, index, _ in CompletionRequest(words, index).ruleTriggers() }
    }

    /// What a rule may do.
    static var ruleActions: CompletionKind {
        .custom { words, index, _ in CompletionRequest(words, index).ruleActions() }
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
