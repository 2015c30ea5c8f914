internal import DeviceControl
public import DeviceDomain
public import DeviceMessages
internal import HomeModel
internal import SharedPresentation

/// What the user does with one device.
extension DeviceViewModel {
    /// The screen has appeared: its commands are read, and the rooms into which it can be put.
    public func appeared() async {
        await memory.readRooms()
        await memory.readCommands(of: id)
    }

    /// Something was entered into a field of a command.
    public func fieldChanged(_ field: String, of command: CommandName, to text: String) {
        guard var form = form(command) else { return }
        form.fieldChanged(field, to: text)
        begun[command] = form
    }

    /// A command is to be sent with what was entered into its form.
    /// - Returns: whether it was sent.
    @discardableResult
    public func sendButtonTapped(_ command: CommandName) async -> Bool {
        guard var form = form(command) else {
            notice = .failed(
                Failure("\(id) has no command \(command.rawValue)", .lookAgain, code: "no-command"))
            return false
        }
        guard let arguments = form.arguments() else {
            begun[command] = form
            return false
        }
        begun[command] = form
        guard await send(form.specification, arguments) else { return false }
        begun[command] = nil
        return true
    }

    /// The robot is to clean everything.
    public func cleanButtonTapped() async { await send(.startCleaning, [:]) }

    /// The robot is to clean these rooms.
    public func cleanButtonTapped(rooms: [Int]) async {
        let numbers = rooms.map { JSONValue.number(Double($0)) }
        await send(.startCleaning, ["rooms": .array(numbers)])
    }

    /// The device is to stop what it does.
    public func stopButtonTapped() async { await send(.stop, [:]) }

    /// The device is to pause.
    public func pauseButtonTapped() async { await send(.pause, [:]) }

    /// The device is to go on.
    public func resumeButtonTapped() async { await send(.resume, [:]) }

    /// The robot is to drive to its dock.
    public func dockButtonTapped() async { await send(.returnToDock, [:]) }

    /// The last command is to be undone.
    public func undoButtonTapped() async {
        await attempt { () async throws(Failure) in try await memory.service.undo(id) }
    }

    /// What was undone is to be done again.
    public func redoButtonTapped() async {
        await attempt { () async throws(Failure) in try await memory.service.redo(id) }
    }

    /// A command is to be taken back.
    public func cancelButtonTapped(_ command: CommandID) async {
        do throws(Failure) {
            notice = try await memory.cancel(command).map(CommandNotice.notCancelled)
        } catch {
            notice = .failed(error)
        }
    }

    /// The device is to be forgotten; one that is online is not.
    public func forgetButtonTapped() async {
        do throws(Failure) {
            notice = try await memory.forget(id).map(CommandNotice.comesBack)
            whenForgotten(id)
        } catch {
            notice = .failed(error)
        }
    }

    /// The device is to be called so and to be in this room.
    /// - Parameters:
    ///   - name: as it was entered; blank for the device's own name.
    ///   - room: a room of the home; empty for none.
    /// - Returns: whether that is so now; ``notice`` says why not.
    @discardableResult
    public func labelSaved(name: String, room: String) async -> Bool {
        do throws(Failure) {
            let isBlank = name.allSatisfy(\.isWhitespace)
            try await memory.label(
                id, name: isBlank ? nil : try GivenName(entered: name),
                room: room.isEmpty ? nil : room)
            notice = nil
            return true
        } catch {
            notice = .failed(error)
            return false
        }
    }

    /// The user has read the notice.
    public func noticeDismissed() { notice = nil }

    // MARK: Sending

    private func send(_ name: CommandName, _ arguments: JSONObject) async {
        guard let specification = device?.known.profile?.specification(of: name) else {
            notice = .failed(
                Failure("\(id) has no command \(name.rawValue)", .lookAgain, code: "no-command"))
            return
        }
        _ = await send(specification, arguments)
    }

    private func send(
        _ specification: CommandSpecification, _ arguments: JSONObject
    ) async -> Bool {
        let options = CommandOptions(
            ifRevision: specification.needsIfRevision ? device?.revision : nil)
        return await attempt { () async throws(Failure) in
            try await memory.service.send(
                specification.name, arguments, to: id, options: options)
        }
    }

    /// Sends something, and follows it.
    /// - Returns: whether it was sent.
    @discardableResult
    private func attempt(_ send: () async throws(Failure) -> SentCommand) async -> Bool {
        do throws(Failure) {
            let sent = try await send()
            notice = sent.obstacle.map(CommandNotice.waits)
            memory.follow(sent)
            return true
        } catch {
            notice = .failed(error)
            return false
        }
    }
}
