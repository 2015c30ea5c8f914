internal import AppCoordination
internal import Automation
internal import DeviceControl
internal import DeviceControlPresentation
internal import DeviceDomain
internal import HomeModel
internal import ProvisioningPresentation
internal import SharedPresentation

// What forms ask for that sends no command: rooms, schedules and new devices.
extension HomePages {
    // MARK: Rooms

    func changeRooms(
        _ step: String?, _ model: RoomsViewModel, _ visit: DashboardSite.Visit
    ) async -> PageResponse {
        switch step {
        case nil: await model.addButtonTapped(visit.request.form["name"] ?? "")
        case "remove"?: await model.removeButtonTapped(visit.request.query["room"] ?? "")
        default: return missing(visit)
        }
        guard let failure = model.failure else { return .redirect(to: Route.rooms.path) }
        guard model.entry.isEmpty else {
            return show(
                RoomsScreen(model: model, texts: visit.texts), .rooms, visit, status: 422)
        }
        say(CommandNotice.failed(failure), to: visit)
        return .redirect(to: Route.rooms.path)
    }

    // MARK: Schedules

    func addSchedule(
        _ model: SchedulesViewModel, _ visit: DashboardSite.Visit
    ) async -> PageResponse {
        let form = visit.request.form
        guard let (device, command) = SchedulesScreen.command(form["add"] ?? "") else {
            return missing(visit)
        }
        if let text = form["schedule"] {
            guard let id = ScheduleID(text) else { return missing(visit) }
            await model.appeared()
            model.editButtonTapped(id)
        } else {
            model.addButtonTapped(command, of: device)
        }
        guard var draft = model.draft else { return missing(visit) }
        for field in draft.form.fields {
            draft.form.fieldChanged(field.name, to: form.text(of: field))
        }
        draft.time = form["time"] ?? ""
        draft.date = form["date"] ?? ""
        let days = form.all("day").filter { !$0.isEmpty }
        draft.days = days.isEmpty ? [] : Set<Weekday>(days.joined(separator: ","))
        model.draft = draft
        await model.saveButtonTapped()
        guard model.draft != nil else {
            let phrase: Phrase = draft.schedule == nil ? .scheduleAdded : .scheduleChanged
            say(Notice(tone: .good, text: visit.texts[phrase]), to: visit)
            return .redirect(to: Route.schedules.path)
        }
        await model.appeared()
        let screen = SchedulesScreen(model: model, texts: visit.texts)
        return show(screen, .schedules, visit, status: 422)
    }

    func changeSchedule(
        _ id: ScheduleID, _ step: String, _ model: SchedulesViewModel,
        _ visit: DashboardSite.Visit
    ) async -> PageResponse {
        let done: Phrase
        switch step {
        case "remove":
            await model.removeButtonTapped(id)
            done = .scheduleRemoved
        case "pause":
            await model.pauseButtonTapped(id)
            done = .schedulePaused
        case "resume":
            await model.resumeButtonTapped(id)
            done = .scheduleResumed
        default: return missing(visit)
        }
        say(done, unless: model.failure, to: visit)
        return .redirect(to: Route.schedules.path)
    }

    // MARK: Rules

    func addRule(_ model: RulesViewModel, _ visit: DashboardSite.Visit) async -> PageResponse {
        let form = visit.request.form
        guard let occasion = RuleOccasion(rawValue: form["when"] ?? ""),
            let deed = RulesScreen.deed(form["do"] ?? "")
        else { return missing(visit) }
        model.addButtonTapped(occasion, deed)
        guard let draft = model.draft else { return missing(visit) }
        model.draft = draft.filled(from: form)
        await model.saveButtonTapped()
        guard model.draft != nil else {
            say(Notice(tone: .good, text: visit.texts[.ruleAdded]), to: visit)
            return .redirect(to: Route.rules.path)
        }
        await model.appeared()
        let screen = RulesScreen(model: model, texts: visit.texts)
        return show(screen, .rules, visit, status: 422)
    }

    func changeRule(
        _ id: RuleID, _ step: String, _ model: RulesViewModel, _ visit: DashboardSite.Visit
    ) async -> PageResponse {
        let done: Phrase
        switch step {
        case "remove":
            await model.removeButtonTapped(id)
            done = .ruleRemoved
        case "pause":
            await model.pauseButtonTapped(id)
            done = .rulePaused
        case "resume":
            await model.resumeButtonTapped(id)
            done = .ruleResumed
        default: return missing(visit)
        }
        say(done, unless: model.failure, to: visit)
        return .redirect(to: Route.rules.path)
    }

    private func say(
        _ done: Phrase, unless failure: Failure?, to visit: DashboardSite.Visit
    ) {
        say(failure.map(CommandNotice.failed), to: visit)
        if failure == nil { say(Notice(tone: .good, text: visit.texts[done]), to: visit) }
    }

    // MARK: Adding a device

    /// One step of the wizard. It is the same for every browser: one device is brought in at a time.
    func provision(_ step: String, _ visit: DashboardSite.Visit) -> PageResponse {
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

extension RuleDraftForm {
    /// With what was entered on a page.
    @MainActor
    fileprivate func filled(from form: FormValues) -> RuleDraftForm {
        var draft = self
        draft.name = form["name"] ?? ""
        draft.event = form["event"] ?? draft.event
        draft.member = form["member"] ?? ""
        if let text = form["relation"] { draft.relation = DeviceCondition.Relation(rawValue: text) }
        draft.value = form["value"] ?? ""
        draft.minutes = form["minutes"] ?? ""
        draft.time = form["time"] ?? ""
        if let text = form["scope"] { draft.scope = RulesScreen.scope(text) }
        draft.condition = form["condition"] ?? ""
        draft.rest = form["rest"] ?? ""
        draft.tells = form["tells"] != nil
        for field in self.form?.fields ?? [] {
            draft.form?.fieldChanged(field.name, to: form.text(of: field))
        }
        return draft
    }
}
