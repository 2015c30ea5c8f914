internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import Homeport
internal import Provisioning
internal import ProvisioningProtocol

extension HomePages {
    /// Does what a form asks for. What is refused says so on the page that it leads to.
    func act(_ visit: DashboardSite.Visit) async -> PageResponse {
        let parts = visit.request.path.split(separator: "/").map(String.init)
        switch (parts.first, parts.count) {
        case ("devices", 3...4):
            guard let id = DeviceID(rawValue: parts[1]), let device = state.devices[id] else {
                return missing(visit)
            }
            return await act(on: device, Array(parts.dropFirst(2)), visit)
        case ("commands", 3):
            guard let id = CommandID(parts[1]), parts[2] == "cancel" else { return missing(visit) }
            return await cancel(id, visit)
        case ("schedules", 1): return await addSchedule(visit)
        case ("schedules", 3):
            guard let id = ScheduleID(parts[1]), parts[2] == "remove" else { return missing(visit) }
            return await attempt(.schedules, visit) { () throws(HomeError) in
                try await home.removeSchedule(id)
            }
        case ("provisioning", 1): return beginProvisioning(visit)
        case ("provisioning", 2) where parts[1] == "cancel":
            provisioning.cancelButtonTapped()
            return .redirect(to: Route.provisioning.path)
        case ("channels", 2) where parts[1] == "check":
            doctor.checkButtonTapped()
            return .redirect(to: Route.channels.path)
        default: return missing(visit)
        }
    }

    /// Does something and leads to a page, which says why it was refused.
    private func attempt(
        _ route: Route, _ visit: DashboardSite.Visit,
        _ body: () async throws(HomeError) -> Void
    ) async -> PageResponse {
        do {
            try await body()
        } catch {
            say(Notice(tone: .bad, text: error.message, isUrgent: true), to: visit)
        }
        return .redirect(to: route.path)
    }

    // MARK: Commands

    private func act(
        on device: DeviceState, _ words: [String], _ visit: DashboardSite.Visit
    ) async -> PageResponse {
        switch (words[0], words.count) {
        case ("undo", 1):
            return await attempt(.device(device.id), visit) { () throws(HomeError) in
                state.follow(try await home.undo(device.id))
            }
        case ("redo", 1):
            return await attempt(.device(device.id), visit) { () throws(HomeError) in
                state.follow(try await home.redo(device.id))
            }
        case ("commands", 2), ("plan", 2):
            let name = CommandName(rawValue: words[1])
            guard let specification = device.known.profile?.specification(of: name) else {
                return missing(visit)
            }
            return await send(specification, to: device, isPlan: words[0] == "plan", visit)
        default: return missing(visit)
        }
    }

    private func send(
        _ specification: CommandSpecification, to device: DeviceState, isPlan: Bool,
        _ visit: DashboardSite.Visit
    ) async -> PageResponse {
        var entry = CommandEntry(
            visit.request.form, for: CommandForm(specification), texts: visit.texts)
        if entry.isRight {
            do {
                let options = CommandOptions(
                    ifRevision: specification.needsIfRevision ? device.known.state?.revision : nil)
                let receipt = try await home.send(
                    specification.name, entry.arguments, to: device.id, options: options)
                state.follow(receipt)
                if let obstacle = receipt.obstacle {
                    say(Notice(tone: .warn, text: "\(obstacle)"), to: visit)
                }
                return .redirect(
                    to: isPlan ? Route.plan(device.id).path : Route.device(device.id).path)
            } catch {
                entry.problem = error.message
            }
        }
        if isPlan {
            let screen = PlanScreen(device: device, texts: visit.texts, refused: entry)
            return show(screen, .plan(device.id), visit, status: 422)
        }
        let screen = DeviceScreen(
            device: device, texts: visit.texts, refused: (specification.name, entry))
        return show(screen, .device(device.id), visit, status: 422)
    }

    private func cancel(_ id: CommandID, _ visit: DashboardSite.Visit) async -> PageResponse {
        await attempt(.command(id), visit) { () throws(HomeError) in
            let cancellation = try await home.cancel(id)
            await state.readCommands(of: cancellation.record.intent.device)
            await state.readOpenCommands()
            guard let reason = cancellation.reason else { return }
            say(Notice(tone: .warn, text: reason), to: visit)
        }
    }

    // MARK: Schedules

    /// The page of schedules, with the form for the command that the query names.
    func schedulesScreen(_ visit: DashboardSite.Visit) async -> any Screen {
        await schedulesScreen(visit, draft(visit.request.query["add"] ?? ""))
    }

    private func schedulesScreen(
        _ visit: DashboardSite.Visit, _ draft: SchedulesScreen.Draft?
    ) async -> SchedulesScreen {
        let schedules: Result<[Schedule], HomeError>
        do {
            schedules = .success(try await home.schedules())
        } catch {
            schedules = .failure(error)
        }
        return SchedulesScreen(
            state: state, schedules: schedules, texts: visit.texts, calendar: calendar,
            draft: draft)
    }

    /// The command that `DEVICE/COMMAND` names.
    private func draft(_ text: String) -> SchedulesScreen.Draft? {
        let parts = text.split(separator: "/").map(String.init)
        guard parts.count == 2, let id = DeviceID(rawValue: parts[0]),
            let device = state.devices[id],
            let specification = device.known.profile?.specification(
                of: CommandName(rawValue: parts[1]))
        else { return nil }
        return SchedulesScreen.Draft(device: device, specification: specification)
    }

    private func addSchedule(_ visit: DashboardSite.Visit) async -> PageResponse {
        let form = visit.request.form
        guard var draft = draft(form["add"] ?? "") else { return missing(visit) }
        draft.entry = CommandEntry(
            form, for: CommandForm(draft.specification), texts: visit.texts)
        draft.time = form["time"] ?? ""
        draft.date = form["date"] ?? ""
        draft.days = Set(form.all("day"))
        if draft.entry.isRight {
            do {
                _ = try await home.addSchedule(
                    draft.specification.name, draft.entry.arguments,
                    toDeviceCalled: draft.device.id.text, at: try rule(draft, visit.texts))
                return .redirect(to: Route.schedules.path)
            } catch {
                draft.entry.problem = error.message
            }
        }
        return show(await schedulesScreen(visit, draft), .schedules, visit, status: 422)
    }

    private func rule(
        _ draft: SchedulesScreen.Draft, _ texts: Texts
    ) throws(HomeError) -> ScheduleRule {
        guard let time = TimeOfDay(draft.time) else {
            throw HomeError(.badSchedule, "\(texts[.time]): \(texts[.required])")
        }
        if !draft.date.isEmpty {
            guard let date = CalendarDate(draft.date) else {
                throw HomeError(.badSchedule, "\(texts[.date]): YYYY-MM-DD")
            }
            return .once(time, on: date)
        }
        let days = Weekday.allCases.filter { draft.days.contains($0.abbreviation) }
        return .weekly(time, on: Set(days.isEmpty ? Weekday.allCases : days))
    }

    // MARK: Adding a device

    private func beginProvisioning(_ visit: DashboardSite.Visit) -> PageResponse {
        let form = visit.request.form
        var entry = ProvisioningScreen.Entry(
            code: form["code"] ?? "", ssid: form["ssid"] ?? "", device: form["device"] ?? "")
        var code: SetupCode?
        do {
            code = try SetupCode(text: entry.code)
        } catch {
            entry.problems["code"] = error.message
        }
        if !(1...32).contains(entry.ssid.utf8.count) {
            entry.problems["ssid"] = visit.texts[.required]
        }
        let device = entry.device.isEmpty ? nil : DeviceID(rawValue: entry.device)
        if !entry.device.isEmpty, device == nil {
            entry.problems["device"] = visit.texts.choose(
                english: "Write small letters, digits and hyphens.", chinese: "请使用小写字母、数字和连字符。")
        }
        guard let code, entry.problems.isEmpty else {
            let screen = ProvisioningScreen(
                desk: provisioning, texts: visit.texts, entry: entry)
            return show(screen, .provisioning, visit, status: 422)
        }
        provisioning.beginButtonTapped(
            ProvisioningRequest(
                code, ssid: entry.ssid, password: Secret(Array((form["password"] ?? "").utf8)),
                as: device, joiner: NetworkManagerJoiner()))
        return .redirect(to: Route.provisioning.path)
    }
}
