internal import DeviceControlPresentation

/// A text of the pages that has no gaps, in every language.
enum Phrase: Hashable, Sendable, CaseIterable {
    // The frame
    case skip, pages, language, theme, themeAuto, themeLight, themeDark, units
    case metricUnits, imperialUnits, signOut, save, liveOff, underAMinute, minutes, dismiss
    case connected, connecting, disconnected, projectLine, reading
    // Names of pages
    case home, floorPlan, energy, queue, schedules, rules, addDevice, channels, settings
    // Errors
    case notFoundTitle, notFoundText, refusedTitle, foreignText, expiredFormText, backHome
    // The way in
    case signInTitle, signInLinkText, signInWrong, signInTooOften, userName, password, token, signIn
    case handoverTitle, handoverText, handoverLink
    // Devices
    case online, offline, presenceUnknown, noDevicesTitle, noDevicesText, attention, nothingToDo
    case state, measured, commands, history, charge, charging, discharging, lastHour, lastDay
    case undo, redo, cancel, explain, send, optional, required, remembered
    case forget, forgetText, forgetConfirm, comesBack
    case earlier, isDocked, isReturning, nothingPaused, nothingRuns, notCancelled
    case noCommands, noSamples, noSamplesThen, firmware, channel, unknown, none, yes, no
    // Stages of a command
    case asked, delivered, accepted, done, outcomeUnknown, effectSeen, notKnownYet, dryRun
    case failed, rejected, cancelled, superseded, refused, expired, running
    // Simulated devices
    case simulation, simulationText, faultsNow, noFault, untilEnded, inject, endFault, duration
    case durationHint, letFaultHappen, faultHappens, faultEnded
    // Names and rooms
    case nameAndRoom, name, nameHint, room, roomsText, noRoomsTitle, noRoomsText, emptyRoom, addRoom
    case noRoom, labelSaved
    // The floor plan
    case rooms, trail, noPlanText, robotHere, zoom
    // Energy
    case solar, grid, consumption, battery, energyNow, energyThen, energyOverTime,
        fromGrid, intoGrid,
        noEnergyTitle, noEnergyText
    case rangeHour, rangeDay, rangeWeek, rangeMonth, rangeYear, selfSufficiency, chargedEnergy
    case dischargedEnergy, energyCost, powerChart, energyChart
    // What has happened
    case whatHappened, eventLog, filter, show, showAll, all, fromDay, toDay, eventKind, openCommands
    case noMatch, notDone, comingAndGoing, eventsOfDevices, noEvents, newer, older, wholeHistory
    // Queue and schedules
    case queueEmptyTitle, queueEmptyText, waitingSince, until, takeBack, putAway,
        schedulesEmptyTitle
    case schedulesEmptyText, nextRun, lastRun, lastMissed, remove, addSchedule, device, command
    case time, days, everyDay, onceOn, date, dateForm, dateAndDays, repeated, arguments, never
    case noDayIsEveryDay, scheduleAdded, scheduleRemoved, scheduleChanged, schedulePaused
    case scheduleResumed, changeSchedule, change, pausedSchedule, pauseSchedule, resumeSchedule
    // Rules
    case rulesText, rulesEmptyTitle, rulesEmptyText, addRule, ruleWhen, ruleDo, ruleIf, ruleFor
    case ruleRest, ruleNotify, ruleTellToo, ruleTest, ruleStopped, ruleUnrecorded
    case ruleMeans, whenEvent, whenOffline, whenOnline, whenValue, whenTime, whenSunrise, whenSunset
    case ruleMember, ruleRelation, ruleValue, isLess, isAtMost, isEqual, isAtLeast, isMore, isNot
    case ruleNameWrong, ruleValueWrong, ruleMinutesWrong, rulePartsWrong, seconds
    case ruleAdded, ruleRemoved, rulePaused, ruleResumed, becauseOf
    // What rules tell
    case toldByRules, notifications, notificationsText, allowNotifications, notificationsOn
    case notificationsRefused
    // Channels and the doctor
    case address, link, devices, doctor, doctorText, runDoctor, doctorRunning, allWell, remedy
    case inOrder, seeUndecided
    // Adding a device
    case addDeviceText, setupCode, setupCodeHint, wifiName, wifiPassword, wifiPasswordHint
    case findNetworks, searchingNetworks, foundNetworks, otherNetwork, noNetworks, openNetwork
    case networkText, networkNameWrong, deviceNameWrong, next, tryAgain, takingBack
    case provisioningTakenBack, provisioningUnknown
    case deviceName, deviceNameHint, deviceAddress, deviceAddressHint, begin, stepJoin, stepSecure,
        stepWifi, stepClaim
    case stepDone, provisioned, openDevice
    case scanCode, cameraMissing, cameraNone, cameraRefused, cameraLooking, cameraFound
}

extension Phrase {
    /// The text in a language.
    func text(in language: Language) -> String {
        switch language {
        case .english: texts.english
        case .chinese: texts.chinese
        }
    }

    private typealias Pair = (english: String, chinese: String)

    private var texts: Pair {
        switch self {
        case .skip: ("Skip to the content", "跳到正文")
        case .pages: ("Pages", "页面")
        case .language: ("Language", "语言")
        case .theme: ("Appearance", "外观")
        case .themeAuto: ("As the system", "跟随系统")
        case .themeLight: ("Light", "浅色")
        case .themeDark: ("Dark", "深色")
        case .units: ("Units", "单位")
        case .metricUnits: ("Metric (°C, m², m)", "公制（°C、m²、m）")
        case .imperialUnits: ("Imperial (°F, ft², ft)", "英制（°F、ft²、ft）")
        case .signOut: ("Sign out", "退出登录")
        case .save: ("Save", "保存")
        case .liveOff: ("No answer from the server", "服务器没有应答")
        case .underAMinute: ("for under a minute", "不到一分钟")
        case .minutes: ("min", "分钟")
        case .dismiss: ("Dismiss", "关闭")
        case .connected: ("Connected", "已连接")
        case .connecting: ("Connecting", "正在连接")
        case .disconnected: ("No connection", "未连接")
        case .projectLine:
            ("Homeport runs on this machine. Nothing here leaves it.", "Homeport 在本机运行，数据不会离开本机。")
        case .reading: ("Reading …", "正在读取…")
        case .home: ("Home", "家")
        case .floorPlan: ("Floor plan", "平面图")
        case .energy: ("Energy", "能源")
        case .queue: ("Queue", "待发命令")
        case .schedules: ("Schedules", "定时")
        case .rules: ("Rules", "规则")
        case .addDevice: ("Add a device", "添加设备")
        case .channels: ("Channels", "通道")
        case .settings: ("Settings", "设置")
        case .notFoundTitle: ("There is no such page", "没有此页面")
        case .notFoundText:
            (
                "The address is wrong, or the device is not in this home any more.",
                "地址有误，或该设备已不在这个家中。"
            )
        case .refusedTitle: ("This was refused", "请求被拒绝")
        case .foreignText:
            (
                "The request came from another site or for another host. Open the dashboard by the "
                    + "link that homeport serve prints.",
                "请求来自其他网站或指向其他主机。请用 homeport serve 显示的链接打开面板。"
            )
        case .expiredFormText:
            (
                "The form is from an earlier visit. Nothing was done; open the page again and repeat "
                    + "it.", "此表单来自之前的访问，未执行任何操作。请重新打开页面再试。"
            )
        case .backHome: ("To the home page", "回到首页")
        case .signInTitle: ("Sign in", "登录")
        case .signInLinkText:
            (
                "Open the link that homeport serve prints on its terminal, or enter the token in it "
                    + "here. A link lets one browser in; homeport dashboard prints another.",
                "请打开 homeport serve 在终端显示的链接，或在此输入其中的令牌。每个链接只能登录一个浏览器；"
                    + "homeport dashboard 可显示新的链接。"
            )
        case .signInWrong:
            (
                "That was not right. Try again. A token that was used already lets nobody in.",
                "输入不正确，请重试。已使用过的令牌无效。"
            )
        case .signInTooOften:
            (
                "Too many attempts from your address wait already. Try again in half a minute.",
                "来自您地址的尝试过多，请半分钟后再试。"
            )
        case .handoverTitle: ("Opening the dashboard", "正在打开面板")
        case .handoverText:
            (
                "The dashboard has a host name of its own in this browser, so that no other program "
                    + "of this machine receives its cookie.",
                "面板在此浏览器中使用专用主机名，本机其他程序因此收不到它的 Cookie。"
            )
        case .handoverLink: ("Open the dashboard", "打开面板")
        case .userName: ("User name", "用户名")
        case .password: ("Password", "密码")
        case .token: ("Token", "令牌")
        case .signIn: ("Sign in", "登录")
        case .online: ("Online", "在线")
        case .offline: ("Offline", "离线")
        case .presenceUnknown: ("Not known whether it is online", "是否在线未知")
        case .noDevicesTitle: ("No devices yet", "还没有设备")
        case .noDevicesText:
            (
                "Devices appear here as soon as they are heard. A boxed one is added with Add a "
                    + "device.", "设备一有消息就会显示在这里。新设备可用“添加设备”加入。"
            )
        case .attention: ("Needs attention", "需要留意")
        case .nothingToDo: ("Everything is as it should be.", "一切正常。")
        case .state: ("State", "状态")
        case .measured: ("Measured", "测量值")
        case .commands: ("Commands", "命令")
        case .history: ("History", "历史")
        case .charge: ("Charge", "电量")
        case .charging: ("Charging", "充电中")
        case .discharging: ("Discharging", "放电中")
        case .lastHour: ("Last hour", "最近一小时")
        case .lastDay: ("Last day", "最近一天")
        case .undo: ("Undo the last", "撤销上一条")
        case .redo: ("Do it again", "重做")
        case .cancel: ("Cancel", "取消")
        case .explain: ("Explain", "说明")
        case .send: ("Send", "发送")
        case .optional: ("optional", "可选")
        case .required: ("This is needed.", "此项必填。")
        case .remembered: ("as last known", "为上次所知")
        case .forget: ("Forget this device", "移除此设备")
        case .forgetText:
            (
                "Switch the device off first: one that is online is not forgotten. Homeport removes what "
                    + "it has stored of the device, and what the broker keeps of it, and shows it no more; "
                    + "its commands stay in the history. It comes back when it is switched on again.",
                "请先关闭设备：在线的设备无法移除。Homeport 会删除所存的设备信息以及代理保留的消息，不再显示此设备；"
                    + "命令历史会保留。设备再次开机后会重新出现。"
            )
        case .comesBack:
            (
                "The device was removed here, but it will come back: the broker keeps messages of it.",
                "设备已从这里移除，但会再次出现：代理仍保留着它的消息。"
            )
        case .forgetConfirm: ("Forget it", "确认移除")
        case .earlier: ("Earlier", "更早")
        case .isDocked: ("it is in its dock already", "已在充电座上")
        case .isReturning: ("it is on its way already", "正在返回充电座")
        case .nothingPaused: ("nothing is paused", "没有暂停的动作")
        case .nothingRuns: ("nothing runs that could be paused", "没有可以暂停的动作")
        case .notCancelled:
            ("It was not taken back.", "没有撤回：命令已经结束，或者设备没有停止它。")
        case .noCommands: ("No command was sent yet.", "还没有发送过命令。")
        case .noMatch: ("No command matches what was asked for.", "没有符合所选条件的命令。")
        case .noSamplesThen: ("Nothing was kept of this time.", "这段时间没有记录。")
        case .noSamples:
            ("No samples yet; they appear as the device sends them.", "还没有数据，设备发送后即显示。")
        case .firmware: ("Firmware", "固件")
        case .channel: ("Channel", "通道")
        case .unknown: ("Unknown", "未知")
        case .none: ("None", "无")
        case .yes: ("Yes", "是")
        case .no: ("No", "否")
        case .asked: ("Asked", "已请求")
        case .delivered: ("Delivered", "已送达")
        case .accepted: ("Accepted", "已接受")
        case .done: ("Done", "已完成")
        case .outcomeUnknown: ("Outcome unknown", "结果未知")
        case .effectSeen: ("Effect seen", "已见效果")
        case .dryRun: (" (dry run)", "（试运行）")
        case .notKnownYet: ("not yet", "尚未")
        case .failed: ("Failed", "失败")
        case .rejected: ("Refused by the device", "被设备拒绝")
        case .cancelled: ("Taken back", "已撤回")
        case .superseded: ("Replaced by another", "已被取代")
        case .refused: ("Given up before it left", "发出前已放弃")
        case .expired: ("Too late to start", "已过期")
        case .running: ("Running", "执行中")
        case .simulation: ("Simulation", "模拟")
        case .simulationText:
            (
                "homeport-sim on this machine simulates this device. A fault happens to it as it "
                    + "would to a real one.", "本机的 homeport-sim 在模拟此设备。注入的故障会像在真实设备上一样发生。"
            )
        case .faultsNow: ("Faults that it has now", "当前故障")
        case .noFault: ("It has no fault.", "目前没有故障。")
        case .untilEnded: ("until it is ended", "直到手动结束")
        case .inject: ("Let it happen", "注入故障")
        case .endFault: ("End", "结束")
        case .duration: ("Duration", "持续时间")
        case .durationHint: ("Empty: until it is ended here", "留空则持续到手动结束")
        case .letFaultHappen: ("Let a fault happen", "注入故障")
        case .faultHappens: ("it happens now", "已注入")
        case .faultEnded: ("it has ended", "已结束")
        case .nameAndRoom: ("Name and room", "名称与房间")
        case .name: ("Name", "名称")
        case .nameHint: ("Empty for the name that the device gives itself", "留空则使用设备自己的名称")
        case .room: ("Room", "房间")
        case .roomsText:
            (
                "Devices stand together by their rooms. A device is put into a room on its own page.",
                "首页按房间排列设备。在设备自己的页面上选择它所在的房间。"
            )
        case .noRoomsTitle: ("No rooms yet", "还没有房间")
        case .noRoomsText:
            (
                "Add one below; until then devices are grouped by what they are.",
                "请在下方添加；在此之前设备按类型排列。"
            )
        case .emptyRoom: ("No device is in this room.", "此房间没有设备。")
        case .addRoom: ("Add a room", "添加房间")
        case .noRoom: ("In no room", "未分配房间")
        case .labelSaved: ("Name and room are kept.", "名称与房间已保存。")
        case .rooms: ("Rooms", "房间")
        case .trail: ("Trail", "轨迹")
        case .noPlanText:
            (
                "This robot describes no rooms. Its trail shows where it has been lately.",
                "此机器人没有提供房间信息。轨迹显示它最近到过的地方。"
            )
        case .zoom: ("Size of the plan", "平面图大小")
        case .robotHere: ("The robot is here", "机器人在这里")
        case .solar: ("Solar", "光伏")
        case .grid: ("Grid", "电网")
        case .consumption: ("Consumption", "用电")
        case .battery: ("Battery", "电池")
        case .energyNow: ("Flow now", "当前流向")
        case .energyThen: ("Flow, last known", "最近一次流向")
        case .fromGrid: ("From the grid", "从电网取电")
        case .intoGrid: ("Into the grid", "向电网送电")
        case .energyOverTime: ("Over time", "时间范围")
        case .rangeHour: ("Hour", "一小时")
        case .rangeDay: ("Day", "一天")
        case .rangeWeek: ("Week", "一周")
        case .rangeMonth: ("Month", "一个月")
        case .rangeYear: ("Year", "一年")
        case .selfSufficiency: ("Self-sufficiency", "自给率")
        case .chargedEnergy: ("Into the battery", "充入电池")
        case .dischargedEnergy: ("From the battery", "电池放电")
        case .energyCost: ("Cost", "费用")
        case .powerChart: ("Power", "功率")
        case .energyChart: ("Energy", "电量")
        case .noEnergyTitle: ("No energy is measured", "没有能源数据")
        case .noEnergyText:
            ("An energy store of the home measures it; none has reported.", "由家中的储能设备测量，目前没有数据。")
        case .whatHappened: ("What has happened", "发生过的事")
        case .eventLog: ("Events", "事件")
        case .filter: ("Filter", "筛选")
        case .show: ("Show", "显示")
        case .showAll: ("Show all", "显示全部")
        case .all: ("All", "全部")
        case .fromDay: ("From", "从")
        case .toDay: ("To", "到")
        case .eventKind: ("Events", "事件")
        case .openCommands: ("Waiting or running", "等待或执行中")
        case .notDone: ("Not carried out", "未执行")
        case .comingAndGoing: ("Online and offline", "上线与离线")
        case .eventsOfDevices: ("Reported by devices", "设备报告的事件")
        case .noEvents:
            ("Nothing of this kind was kept in this time.", "此时间内没有保存这类事件。")
        case .newer: ("Newer", "较新")
        case .older: ("Older", "较早")
        case .wholeHistory: ("All of it", "全部历史")
        case .queueEmptyTitle: ("Nothing waits", "没有等待的命令")
        case .queueEmptyText:
            (
                "Commands to devices that are away wait here until they are back.",
                "发给离线设备的命令会在这里等待设备回来。"
            )
        case .waitingSince: ("Waits since", "开始等待")
        case .until: ("Until", "截止")
        case .takeBack: ("Take back", "撤回")
        case .putAway: ("I have seen it", "已知悉")
        case .schedulesEmptyTitle: ("No schedules yet", "还没有定时")
        case .schedulesEmptyText:
            (
                "A schedule sends a command at times of day or once on a date.",
                "定时可以在每天的某个时间或某个日期发送命令。"
            )
        case .nextRun: ("Next", "下次")
        case .lastRun: ("Last run", "上次执行")
        case .lastMissed: ("Last missed", "上次错过")
        case .remove: ("Remove", "删除")
        case .addSchedule: ("Add a schedule", "添加定时")
        case .device: ("Device", "设备")
        case .command: ("Command", "命令")
        case .time: ("Time", "时间")
        case .days: ("Days", "星期")
        case .everyDay: ("every day", "每天")
        case .onceOn: ("Once, on a date", "仅一次")
        case .date: ("Date", "日期")
        case .dateAndDays:
            (
                "A date is for once, days are for every week: choose one of them.",
                "日期表示仅一次，星期表示每周重复，请只选一种。"
            )
        case .dateForm: ("year-month-day, such as 2026-12-24", "年-月-日，例如 2026-12-24")
        case .noDayIsEveryDay: ("no day chosen: every day", "不选则为每天")
        case .scheduleAdded: ("The schedule was added.", "已添加定时。")
        case .scheduleRemoved: ("The schedule was removed.", "已删除定时。")
        case .scheduleChanged: ("The schedule was changed.", "已修改定时。")
        case .schedulePaused: ("The schedule is paused.", "已暂停定时。")
        case .scheduleResumed: ("The schedule goes on.", "已恢复定时。")
        case .changeSchedule: ("Change the schedule", "修改定时")
        case .change: ("Change", "修改")
        case .pausedSchedule: ("Paused", "已暂停")
        case .pauseSchedule: ("Pause", "暂停")
        case .resumeSchedule: ("Resume", "恢复")
        case .repeated: ("Every week", "每周")
        case .rulesText:
            (
                "A rule does something when something happens, while homeport serve runs.",
                "homeport serve 运行时，规则会在某事发生时执行操作。"
            )
        case .rulesEmptyTitle: ("No rules yet", "还没有规则")
        case .rulesEmptyText:
            (
                "A rule sends a command, or tells you, when a device reports something or at a time of day.",
                "当设备报告某事或到了某个时间，规则可以发送命令或通知您。"
            )
        case .addRule: ("Add a rule", "添加规则")
        case .ruleWhen: ("When", "何时")
        case .ruleDo: ("What it does", "做什么")
        case .ruleIf: ("Only if the device reports", "仅当设备报告")
        case .ruleFor: ("For at least", "至少持续")
        case .ruleRest: ("At most once in", "每隔多久最多一次")
        case .ruleNotify: ("Tell me", "通知我")
        case .ruleTellToo: ("Tell me as well", "同时通知我")
        case .ruleTest: ("Try", "试算")
        case .ruleStopped: ("Stopped", "已停止")
        case .ruleUnrecorded: ("Not recorded, so not known", "没有记录，因此无法得知")
        case .ruleMeans:
            (
                "A part of the record are means, in which short peaks do not show.",
                "部分记录为平均值，短时峰值不可见。"
            )
        case .whenEvent: ("A device reports an event", "设备报告事件")
        case .whenOffline: ("A device goes offline", "设备离线")
        case .whenOnline: ("A device comes online", "设备上线")
        case .whenValue: ("A value is reached", "数值达到")
        case .whenTime: ("At a time of day", "每天某个时间")
        case .whenSunrise: ("At sunrise", "日出时")
        case .whenSunset: ("At sunset", "日落时")
        case .ruleMember: ("Value", "数值")
        case .ruleRelation: ("Compared", "比较")
        case .ruleValue: ("With", "目标")
        case .isLess: ("is below", "低于")
        case .isAtMost: ("is at most", "至多为")
        case .isEqual: ("is", "等于")
        case .isAtLeast: ("is at least", "至少为")
        case .isMore: ("is above", "高于")
        case .isNot: ("is not", "不等于")
        case .ruleNameWrong: ("One line of 1 to 64 characters", "名称应为一行，1 至 64 个字符。")
        case .ruleValueWrong:
            ("A comparison such as batteryPercent<20", "无法读取，请按“名称=值”的形式填写。")
        case .ruleMinutesWrong:
            ("Whole minutes, at most 527040, which is 366 days", "请填写整数分钟，最多 527040（366 天）。")
        case .rulePartsWrong:
            ("The parts of the rule do not fit each other", "规则的各部分不相符，请更改名称或条件。")
        case .seconds: ("s", "秒")
        case .ruleAdded: ("The rule was added.", "已添加规则。")
        case .ruleRemoved: ("The rule was removed.", "已删除规则。")
        case .rulePaused: ("The rule is paused.", "已暂停规则。")
        case .ruleResumed: ("The rule runs again.", "已恢复规则。")
        case .becauseOf: ("Because of the rule", "来自规则")
        case .toldByRules: ("From your rules", "规则通知")
        case .notifications: ("Notifications", "通知")
        case .notificationsText:
            (
                "This browser can show what rules tell you, while a page of the dashboard is open.",
                "面板页面打开时，此浏览器可以显示规则的通知。"
            )
        case .allowNotifications: ("Show notifications", "显示通知")
        case .notificationsOn: ("This browser shows notifications.", "此浏览器会显示通知。")
        case .notificationsRefused:
            (
                "This browser refuses notifications of this page; allow them in its settings.",
                "此浏览器拒绝了本页的通知，请在浏览器设置中允许。"
            )
        case .arguments: ("Arguments", "参数")
        case .never: ("never", "从未")
        case .address: ("Address", "地址")
        case .link: ("Link", "链路")
        case .devices: ("Devices", "设备")
        case .doctor: ("Doctor", "诊断")
        case .doctorText:
            (
                "Checks the ledger, the brokers and the devices. It takes a few seconds and changes "
                    + "nothing.", "检查账本、代理和设备，需要几秒钟，不会改变任何东西。"
            )
        case .runDoctor: ("Run the checks", "开始检查")
        case .doctorRunning: ("Checking …", "正在检查…")
        case .allWell: ("Nothing is wrong.", "没有发现问题。")
        case .inOrder: ("In order", "正常")
        case .seeUndecided: ("See them under Queue", "在“待发命令”中查看")
        case .remedy: ("What to do", "处理办法")
        case .addDeviceText:
            (
                "Put the device into set-up mode, and enter what its label says.",
                "让设备进入配网模式，然后输入标签上的内容。"
            )
        case .networkText:
            (
                "The device is reached by its own Wi-Fi network, named below. Say which network of "
                    + "your home it shall use.",
                "将通过设备自己的 Wi-Fi（名称见下）连接设备。请填写它今后使用的家中网络。"
            )
        case .findNetworks: ("Show the networks in its reach", "查找设备能搜到的网络")
        case .searchingNetworks:
            ("The device is asked which networks it finds …", "正在查询设备能搜到的网络…")
        case .foundNetworks: ("Networks that the device finds", "设备能搜到的网络")
        case .otherNetwork: ("Or the name of another one", "或填写其他网络名称")
        case .noNetworks:
            ("The device finds no network. Write its name.", "设备没有搜到网络，请填写名称。")
        case .openNetwork: ("open", "开放")
        case .networkNameWrong: ("A network's name has 1 to 32 bytes.", "网络名称应为 1 至 32 个字节。")
        case .deviceNameWrong:
            ("Write small letters, digits and hyphens.", "请使用小写字母、数字和连字符。")
        case .next: ("Next", "下一步")
        case .tryAgain: ("Try again", "重试")
        case .takingBack: ("Being taken back …", "正在撤回…")
        case .provisioningTakenBack: ("The attempt was taken back.", "已撤回此次添加。")
        case .provisioningUnknown:
            (
                "Whether the device is in the home is not known. Trying again goes on where it stopped.",
                "设备是否已加入家中尚不确定。重试会从中断处继续。"
            )
        case .setupCode: ("Setup code", "配网码")
        case .setupCodeHint: ("The text of the QR code on the label", "标签二维码中的文字")
        case .scanCode: ("Read the code by the camera", "用摄像头扫描二维码")
        case .cameraMissing:
            (
                "This browser cannot read QR codes by itself. Read the code with any scanner, and enter its text.",
                "此浏览器无法自行识别二维码。请用任意扫码工具读取，再填写其中的文字。"
            )
        case .cameraNone: ("No camera can be used here.", "没有可用的摄像头。")
        case .cameraRefused:
            ("The browser was not allowed to use the camera.", "浏览器没有获得使用摄像头的许可。")
        case .cameraLooking: ("Hold the code before the camera.", "请将二维码对准摄像头。")
        case .cameraFound: ("The code was read.", "已读取二维码。")
        case .wifiName: ("Name of your Wi-Fi network", "家中 Wi-Fi 名称")
        case .wifiPassword: ("Its password", "Wi-Fi 密码")
        case .wifiPasswordHint: ("Empty for an open network", "开放网络请留空")
        case .deviceName: ("Id of the device in the home", "设备在家中的标识")
        case .deviceNameHint: ("Empty for one made from the label", "留空则按标签生成")
        case .deviceAddress: ("Address of the device", "设备的地址")
        case .deviceAddressHint:
            (
                "Empty, unless this machine has joined the device's network already: http://192.168.4.1",
                "一般留空；如果本机已连接设备的热点，请填写，如 http://192.168.4.1"
            )
        case .begin: ("Begin", "开始")
        case .stepJoin: ("Join", "连接")
        case .stepSecure: ("Secure", "加密")
        case .stepWifi: ("Wi-Fi", "Wi-Fi 设置")
        case .stepClaim: ("Claim", "入户")
        case .stepDone: ("Done", "完成")
        case .provisioned: ("The device is in the home.", "设备已加入家中。")
        case .openDevice: ("Open its page", "打开设备页面")
        }
    }
}
