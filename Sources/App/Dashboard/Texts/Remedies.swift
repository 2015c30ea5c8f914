internal import DeviceControlPresentation
internal import DeviceDomain
internal import SharedPresentation

extension Texts {
    /// What a person can do about a failure.
    func remedy(_ remedy: Remedy) -> String {
        switch remedy {
        case .checkConnection:
            choose(
                english: "Bring the connection back, or wait for it.", chinese: "请恢复连接，或等待连接恢复。")
        case .chooseDevice: choose(english: "Choose another device.", chinese: "请选择其他设备。")
        case .switchDeviceOff:
            choose(english: "Switch the device off first.", chinese: "请先关闭设备。")
        case .changeEntry: choose(english: "Change what was entered.", chinese: "请修改输入的内容。")
        case .checkStorage:
            choose(
                english: "Put the ledger's file or its disk in order; Channels has checks for it.",
                chinese: "请检查账本文件或其磁盘；“通道”页面有相应的检查。")
        case .lookAgain:
            choose(
                english: "Look at the present state first; it has changed meanwhile.",
                chinese: "请先查看当前状态，它可能已经变化。")
        case .startFleet:
            choose(
                english: "Start the fleet again with homeport-sim run.",
                chinese: "请用 homeport-sim run 重新启动模拟设备。")
        case .tryAgain: choose(english: "Try it again.", chinese: "请重试。")
        case .changeConfiguration:
            choose(english: "Change the configuration.", chinese: "请修改配置。")
        }
    }

    /// What a person can do where a device could not be brought in.
    func advice(_ action: UserAction) -> String {
        switch action {
        case .retryPassword:
            choose(english: "Give the right Wi-Fi password.", chinese: "请输入正确的 Wi-Fi 密码。")
        case .moveCloser:
            choose(
                english: "Check the network's name, and bring the device nearer to its router.",
                chinese: "请检查网络名称，并让设备靠近路由器。")
        case .pressReset:
            choose(english: "Put the device into its set-up mode.", chinese: "请让设备进入配网模式。")
        case .checkLabel:
            choose(english: "Check the code on the device's label.", chinese: "请核对设备标签上的配网码。")
        case .joinAccessPoint:
            choose(
                english: "Join the device's access point with this machine.",
                chinese: "请用本机连接设备的热点。")
        case .allowSecurity0:
            choose(
                english: "This device protects nothing; if nobody else is near, use homeport "
                    + "provision --security 0.",
                chinese: "此设备没有加密；如果附近没有他人，可使用 homeport provision --security 0。")
        case .allowWeakSession:
            choose(
                english: "Update the device's firmware; if nobody else is near, use homeport "
                    + "provision --allow-weak-session.",
                chinese: "请更新设备固件；如果附近没有他人，可使用 homeport provision --allow-weak-session。")
        case .chooseName:
            choose(english: "Choose another id for the device.", chinese: "请为设备选择其他标识。")
        case .checkBroker:
            choose(
                english: "Check that the broker runs and how it is reached.",
                chinese: "请检查代理是否运行以及如何连接。")
        case .checkServer:
            choose(
                english: "Check that the Matter server runs and how it is reached.",
                chinese: "请检查 Matter 服务器是否运行以及如何连接。")
        case .checkStorage:
            choose(
                english: "Put the keychain, the ledger or the disk in order.",
                chinese: "请检查钥匙串、账本或磁盘。")
        case .runAgain: choose(english: "Try it again.", chinese: "请重试。")
        case .contact: choose(english: "Ask the maker of the device.", chinese: "请联系设备厂商。")
        }
    }
}

extension Notice {
    /// Why something could not be done, and what to do.
    init(_ failure: Failure, _ texts: Texts, tone: BadgeTone = .bad) {
        self.init(
            tone: tone, text: texts.cause(failure), remedy: texts.remedy(failure.remedy),
            isUrgent: tone == .bad)
    }
}
