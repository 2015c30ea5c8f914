internal import AppCoordination
internal import Automation
internal import DeviceControl
internal import DeviceControlPresentation
internal import DeviceDomain
internal import SharedPresentation

// What a page shows beyond what is known all the time: it is read when the page is asked for.
extension HomePages {
    /// The view model of a device; `nil` where nothing is known of it.
    func device(
        _ id: DeviceID, _ control: DeviceControlCoordinator
    ) async -> DeviceViewModel? {
        let model = control.device(id)
        await model.appeared()
        return model.state == .empty ? nil : model
    }

    func command(_ model: CommandViewModel, _ texts: Texts) async -> (any Screen)? {
        await model.appeared()
        switch model.state {
        case .content(let content):
            return CommandScreen(model: model, content: content, texts: texts)
        case .failed(let failure):
            return FailureScreen(title: texts[.command], failure: failure, texts: texts)
        case .empty, .loading: return nil
        }
    }

    /// The page of schedules, with the form for the command that the query names.
    func schedules(
        _ model: SchedulesViewModel, _ visit: DashboardSite.Visit
    ) async -> SchedulesScreen {
        await model.appeared()
        if let id = visit.request.query["edit"].flatMap(ScheduleID.init) {
            model.editButtonTapped(id)
        } else if let (device, command) = SchedulesScreen.command(visit.request.query["add"] ?? "")
        {
            model.addButtonTapped(command, of: device)
        }
        return SchedulesScreen(model: model, texts: visit.texts)
    }

    /// The page of rules, with the form that the query asks for.
    func rules(_ model: RulesViewModel, _ visit: DashboardSite.Visit) async -> RulesScreen {
        let query = visit.request.query
        await model.appeared()
        if let rule = query["test"].flatMap(RuleID.init) {
            await model.testButtonTapped(rule)
        } else if let occasion = RuleOccasion(rawValue: query["when"] ?? ""),
            let deed = RulesScreen.deed(query["do"] ?? "")
        {
            model.addButtonTapped(occasion, deed)
        }
        return RulesScreen(model: model, texts: visit.texts)
    }

    func report(
        _ model: EnergyViewModel, over time: EnergyQuery
    ) async -> Result<EnergyReport?, Failure> {
        do throws(Failure) {
            return .success(try await model.report(over: time.range, time.stepsBack))
        } catch {
            return .failure(error)
        }
    }

    /// The values of the charts of the energy page.
    func energyFile(_ visit: DashboardSite.Visit) async -> PageResponse {
        let query = visit.request.query
        let time = EnergyQuery(query)
        guard let model = app.deviceControl?.energy,
            case .success(let report?) = await report(model, over: time)
        else { return missing(visit) }
        let table = EnergyTable(report: report)
        return query["of"] == "energy"
            ? .table(table.energy, name: "energy-\(time.range.rawValue).csv")
            : .table(table.power, name: "power-\(time.range.rawValue).csv")
    }

    /// The commands or the events that the query selects.
    func history(
        _ model: HistoryViewModel, of route: Route, _ visit: DashboardSite.Visit
    ) async -> HistoryScreen {
        await model.appeared()
        let filter = RecordFilter(visit.request.query)
        let content: HistoryScreen.Content
        do throws(Failure) {
            content =
                route == .events
                ? .events(.success(try await model.events(filter)))
                : .commands(.success(try await model.commands(filter)))
        } catch {
            content = route == .events ? .events(.failure(error)) : .commands(.failure(error))
        }
        return HistoryScreen(model: model, texts: visit.texts, filter: filter, content: content)
    }
}
