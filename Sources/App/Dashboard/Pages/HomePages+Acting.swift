internal import AppCoordination
internal import Automation
internal import DeviceControl
internal import DeviceControlPresentation
internal import DeviceDomain
internal import DeviceMessages
internal import ProvisioningPresentation
internal import SharedPresentation
internal import SimulationPresentation

extension HomePages {
    /// Does what a form asks for. What is refused says so on the page that it leads to.
    func act(_ visit: DashboardSite.Visit) async -> PageResponse {
        let parts = visit.request.path.split(separator: "/").map(String.init)
        // What one browser enters and is told is not shown to another one.
        guard let place = parts.first, let control = app.deviceControl?.separate() else {
            return missing(visit)
        }
        switch (place, parts.count) {
        case ("devices", 4...5) where parts[2] == "faults":
            return await giveFault(Array(parts.dropFirst(3)), to: parts[1], control, visit)
        case ("devices", 3...4):
            guard let id = DeviceID(rawValue: parts[1]) else { return missing(visit) }
            return await act(on: control.device(id), Array(parts.dropFirst(2)), visit)
        case ("commands", 3) where ["cancel", "put-away"].contains(parts[2]):
            guard let id = CommandID(parts[1]) else { return missing(visit) }
            let command = control.command(id)
            if parts[2] == "cancel" {
                await command.cancelButtonTapped()
            } else {
                await command.putAwayButtonTapped()
            }
            say(command.notice, to: visit)
            // The list in which the button was stays open.
            let list = visit.request.query["from"].map { app.place(at: $0) } ?? .command(id)
            return .redirect(to: list.path)
        case ("rooms", 1...2):
            return await changeRooms(parts.dropFirst().first, control.rooms, visit)
        case ("schedules", 1): return await addSchedule(control.schedules, visit)
        case ("schedules", 3):
            guard let id = ScheduleID(parts[1]) else { return missing(visit) }
            return await changeSchedule(id, parts[2], control.schedules, visit)
        case ("rules", 1): return await addRule(control.rules, visit)
        case ("rules", 3):
            guard let id = RuleID(parts[1]) else { return missing(visit) }
            return await changeRule(id, parts[2], control.rules, visit)
        case ("provisioning", 2): return provision(parts[1], visit)
        case ("channels", 2) where parts[1] == "check":
            app.deviceControl?.channels.checkButtonTapped()
            return .redirect(to: Route.channels.path)
        default: return missing(visit)
        }
    }

    func say(_ notice: CommandNotice?, to visit: DashboardSite.Visit) {
        switch notice {
        case .failed(let failure): say(Notice(failure, visit.texts), to: visit)
        case .waits(let obstacle):
            say(Notice(obstacle, visit.texts, tone: .warn), to: visit)
        case .comesBack(let reason):
            let text = visit.texts.choose(english: reason, chinese: "")
            say(Notice(tone: .warn, text: visit.texts[.comesBack], remedy: text), to: visit)
        case .notCancelled(let reason):
            let text = visit.texts.choose(english: reason, chinese: visit.texts[.notCancelled])
            say(Notice(tone: .warn, text: text), to: visit)
        case nil: break
        }
    }

    // MARK: Devices

    private func act(
        on device: DeviceViewModel, _ path: [String], _ visit: DashboardSite.Visit
    ) async -> PageResponse {
        guard device.state.content != nil else { return missing(visit) }
        let place = Route.device(device.id)
        switch (path[0], path.count) {
        case ("label", 1):
            let form = visit.request.form
            if await device.labelSaved(name: form["name"] ?? "", room: form["room"] ?? "") {
                say(Notice(tone: .good, text: visit.texts[.labelSaved]), to: visit)
            } else {
                say(device.notice, to: visit)
            }
            return .redirect(to: place.path)
        case ("undo", 1): await device.undoButtonTapped()
        case ("redo", 1): await device.redoButtonTapped()
        case ("forget", 1):
            await device.forgetButtonTapped()
            say(device.notice, to: visit)
            return .redirect(to: (device.state.content == nil ? Route.home : place).path)
        case ("commands", 2):
            return await send(CommandName(rawValue: path[1]), to: device, visit)
        default: return missing(visit)
        }
        sayWhatCame(of: device, on: place, to: visit)
        return .redirect(to: place.path)
    }

    /// Says that a command was sent, and goes on with it; or why it was not.
    private func sayWhatCame(
        of device: DeviceViewModel, on page: Route, to visit: DashboardSite.Visit
    ) {
        guard device.notice == nil, let command = device.state.content?.commands.first else {
            return say(device.notice, to: visit)
        }
        let texts = visit.texts
        let followed = Notice.FollowedCommand(
            id: CommandList.id(of: command.id),
            standing: CommandText(texts: texts).standing(command),
            path: Route.command(command.id).path, link: texts[.explain])
        var name = texts.name(of: command)
        if page != .device(device.id) { name = "\(command.deviceName) · \(name)" }
        let text = texts.choose(english: "\(name):", chinese: "\(name)：")
        say(Notice(tone: .info, text: text, command: followed), to: visit)
    }

    private func send(
        _ name: CommandName, to device: DeviceViewModel, _ visit: DashboardSite.Visit
    ) async -> PageResponse {
        guard let form = device.form(name) else { return missing(visit) }
        for field in form.fields {
            device.fieldChanged(field.name, of: name, to: visit.request.form.text(of: field))
        }
        let isSent = await device.sendButtonTapped(name)
        let route = Route.device(device.id)
        // A button on another page leads back there.
        let page = visit.request.query["from"].map { app.place(at: $0) } ?? route
        if isSent {
            sayWhatCame(of: device, on: page, to: visit)
        } else {
            say(device.notice, to: visit)
        }
        // Wrong fields are shown where they are.
        guard !isSent, page == route || device.form(name)?.hasProblem == true else {
            return .redirect(to: page.path)
        }
        let screen = DeviceScreen(
            model: device, simulation: app.simulation?.device(device.id), texts: visit.texts,
            opened: name)
        return show(screen, route, visit, status: 422)
    }

    /// Lets a fault happen to a simulated device, or ends it.
    private func giveFault(
        _ path: [String], to device: String, _ control: DeviceControlCoordinator,
        _ visit: DashboardSite.Visit
    ) async -> PageResponse {
        guard let id = DeviceID(rawValue: device), control.device(id).state.content != nil,
            let simulation = app.simulation?.device(id)
        else { return missing(visit) }
        let (route, fault) = (Route.device(id), FaultName(rawValue: path[0]))
        await simulation.appeared()
        switch path.dropFirst().first {
        case nil:
            for field in simulation.form(fault)?.fields ?? [] {
                let text = visit.request.form[SimulationSection.prefix + field.name] ?? ""
                simulation.fieldChanged(field.name, of: fault, to: text)
            }
            let isDone = await simulation.injectButtonTapped(fault)
            say(simulation.failure.map(CommandNotice.failed), to: visit)
            if isDone { sayFault(fault, .faultHappens, to: visit) }
            guard !isDone else { return .redirect(to: route.path) }
            let screen = DeviceScreen(
                model: control.device(id), simulation: simulation, texts: visit.texts,
                refusedFault: fault)
            return show(screen, route, visit, status: 422)
        case "end":
            await simulation.endButtonTapped(fault)
            say(simulation.failure.map(CommandNotice.failed), to: visit)
            if simulation.failure == nil { sayFault(fault, .faultEnded, to: visit) }
            return .redirect(to: route.path)
        default: return missing(visit)
        }
    }

    private func sayFault(_ fault: FaultName, _ phrase: Phrase, to visit: DashboardSite.Visit) {
        let texts = visit.texts
        say(Notice(tone: .good, text: "\(texts.name(fault)): \(texts[phrase])"), to: visit)
    }
}
