internal import AppCoordination
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
        case ("schedules", 1): return await addSchedule(control.schedules, visit)
        case ("schedules", 3) where parts[2] == "remove":
            guard let id = ScheduleID(parts[1]) else { return missing(visit) }
            await control.schedules.removeButtonTapped(id)
            say(control.schedules.failure.map(CommandNotice.failed), to: visit)
            if control.schedules.failure == nil {
                say(Notice(tone: .good, text: visit.texts[.scheduleRemoved]), to: visit)
            }
            return .redirect(to: Route.schedules.path)
        case ("provisioning", 2): return provision(parts[1], visit)
        case ("channels", 2) where parts[1] == "check":
            app.deviceControl?.channels.checkButtonTapped()
            return .redirect(to: Route.channels.path)
        default: return missing(visit)
        }
    }

    private func say(_ notice: CommandNotice?, to visit: DashboardSite.Visit) {
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
        case ("undo", 1): await device.undoButtonTapped()
        case ("redo", 1): await device.redoButtonTapped()
        case ("forget", 1):
            await device.forgetButtonTapped()
            say(device.notice, to: visit)
            return .redirect(to: (device.state.content == nil ? Route.home : place).path)
        case ("commands", 2), ("plan", 2):
            return await send(
                CommandName(rawValue: path[1]), to: device, isPlan: path[0] == "plan", visit)
        default: return missing(visit)
        }
        sayWhatCame(of: device, to: visit)
        return .redirect(to: place.path)
    }

    /// Says that a command was sent, and goes on with it; or why it was not.
    private func sayWhatCame(of device: DeviceViewModel, to visit: DashboardSite.Visit) {
        guard device.notice == nil, let command = device.state.content?.commands.first else {
            return say(device.notice, to: visit)
        }
        let texts = visit.texts
        let followed = Notice.FollowedCommand(
            id: CommandList.id(of: command.id),
            standing: CommandText(texts: texts).standing(command),
            path: Route.command(command.id).path, link: texts[.explain])
        let text = texts.choose(
            english: "\(texts.name(of: command)):", chinese: "\(texts.name(of: command))：")
        say(Notice(tone: .info, text: text, command: followed), to: visit)
    }

    private func send(
        _ name: CommandName, to device: DeviceViewModel, isPlan: Bool, _ visit: DashboardSite.Visit
    ) async -> PageResponse {
        guard let form = device.form(name) else { return missing(visit) }
        for field in form.fields {
            device.fieldChanged(field.name, of: name, to: visit.request.form.text(of: field))
        }
        let isSent = await device.sendButtonTapped(name)
        if isSent {
            sayWhatCame(of: device, to: visit)
        } else {
            say(device.notice, to: visit)
        }
        let route = isPlan ? Route.plan(device.id) : Route.device(device.id)
        guard !isSent else { return .redirect(to: route.path) }
        let screen: any Screen =
            isPlan
            ? PlanScreen(model: device, texts: visit.texts)
            : DeviceScreen(
                model: device, simulation: app.simulation?.device(device.id), texts: visit.texts,
                refused: name)
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

    // MARK: Schedules

    private func addSchedule(
        _ model: SchedulesViewModel, _ visit: DashboardSite.Visit
    ) async -> PageResponse {
        let form = visit.request.form
        guard let (device, command) = SchedulesScreen.command(form["add"] ?? "") else {
            return missing(visit)
        }
        model.addButtonTapped(command, of: device)
        guard var draft = model.draft else { return missing(visit) }
        for field in draft.form.fields {
            draft.form.fieldChanged(field.name, to: form.text(of: field))
        }
        draft.time = form["time"] ?? ""
        draft.date = form["date"] ?? ""
        draft.days = Set(Weekday.allCases.filter { form.all("day").contains($0.abbreviation) })
        model.draft = draft
        await model.saveButtonTapped()
        guard model.draft != nil else {
            say(Notice(tone: .good, text: visit.texts[.scheduleAdded]), to: visit)
            return .redirect(to: Route.schedules.path)
        }
        await model.appeared()
        let screen = SchedulesScreen(model: model, texts: visit.texts)
        return show(screen, .schedules, visit, status: 422)
    }

    // MARK: Adding a device

    /// One step of the wizard. It is the same for every browser: one device is brought in at a time.
    private func provision(_ step: String, _ visit: DashboardSite.Visit) -> PageResponse {
        guard let wizard = app.provisioning?.wizard else { return missing(visit) }
        let form = visit.request.form
        // Where the wizard leads to when it is left, the app says.
        app.open(.provisioning)
        if wizardOwner != visit.session.id.text, !wizard.isShared {
            guard step == "code" else { return .redirect(to: app.route.path) }
            wizard.begunAnew()
        }
        takeWizard(for: visit)
        switch step {
        case "code": wizard.codeEntered(form["code"] ?? "")
        case "network":
            wizard.networkEntered(
                network(form), password: form["password"] ?? "",
                device: form["device"] ?? "", address: form["address"] ?? "")
        case "search":
            wizard.searchButtonTapped(
                network: network(form), device: form["device"] ?? "",
                address: form["address"] ?? "")
        case "retry": wizard.retryButtonTapped()
        case "cancel": wizard.cancelButtonTapped()
        case "done": wizard.doneButtonTapped()
        default: return missing(visit)
        }
        return .redirect(to: app.route.path)
    }

    /// The network that was written, else the one that was chosen among those that the device finds.
    private func network(_ form: FormValues) -> String {
        let written = form["ssid"] ?? ""
        return written.isEmpty ? form["found"] ?? "" : written
    }
}
