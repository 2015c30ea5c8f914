internal import DeviceControlPresentation
internal import DeviceDomain
internal import ProvisioningPresentation
internal import SharedPresentation

// What libraries say of an error is English text with a code. In English it is shown as it is; in another
// language the code decides.
extension Texts {
    /// What happened and why.
    func cause(_ failure: Failure) -> String {
        switch language {
        case .english: failure.cause
        case .chinese: Self.causes[failure.code] ?? "操作没有完成。"
        }
    }

    /// Why a boxed device was not brought in.
    func cause(_ failure: ProvisioningFailure) -> String {
        switch language {
        case .english: failure.cause.prefix(1).uppercased() + failure.cause.dropFirst()
        case .chinese: Self.provisioning[failure.code] ?? "未能添加设备。"
        }
    }

    /// The codes that have a text of their own.
    static var knownCodes: (failures: [String], provisioning: [String]) {
        (causes.keys.sorted(), provisioning.keys.sorted())
    }

    private static let causes: [String: String] = [
        // The codes of HomeError.
        "no-connection": "没有可用的连接。", "unknown-device": "没有此设备的信息。",
        "ambiguous-name": "有多个设备使用这个名称。", "device-online": "设备在线。",
        "refused-command": "设备不接受此命令或其参数，未发送任何内容。", "bad-lifetime": "有效时间不在允许的范围内。",
        "bad-condition": "无法读取条件。", "unknown-member": "没有设备报告此项。", "unknown-command": "账本中没有此命令。",
        "foreign-command": "这是另一个控制端的命令。", "cannot-undo": "现在没有可以撤销或重做的命令。",
        "name-taken": "这个名称已被使用。", "unknown-room": "没有这个房间。",
        "given-name": "名称应为一行，1 至 64 个字符。",
        "bad-rule": "规则的各部分不相符。", "unknown-rule": "账本中没有此规则。",
        "bad-schedule": "此定时永远不会到期。", "unknown-schedule": "账本中没有此定时。",
        "queue-full": "等待此设备的命令过多。", "ledger": "无法读取或写入账本。", "history": "无法读取历史记录。",
        "configuration": "配置有误。", "configuration-file": "配置文件有误。", "not-running": "此家没有运行。",
        "cancelled": "操作已取消。", "failed": "操作失败。",
        // The codes of CommunicationError.
        "unreachable": "对方没有应答。", "credentials-refused": "用户名或密码被拒绝。",
        "tls-refused": "加密连接被拒绝：证书、密钥或名称不符。", "not-permitted": "没有此操作的权限。",
        "timed-out": "等待应答超时。", "not-connected": "目前没有连接，未发送任何内容。",
        "link-lost": "连接在发送途中断开。", "overloaded": "通道繁忙，未发送任何内容。",
        "no-channel": "没有为此设备设置通道。", "closed": "通道已关闭。",
        "cannot-express": "此通道无法表达该请求。", "protocol-violation": "对方违反了协议。",
        // The codes of view models.
        "no-command": "此设备没有该命令。", "no-fault": "此设备不会出现该故障。", "fleet": "模拟程序没有执行。",
        "setup-code": "这不是配网码。请填写标签二维码中的全部文字。",
        "access-point-address": "地址应为 http:// 加数字地址，例如 http://192.168.4.1。",
        "cancel-refused": "设备没有停止该命令。", "kept-by-broker": "代理仍保留着此设备的消息，当前用户无权清除。",
    ]

    private static let provisioning: [String: String] = [
        "NO_ACCESS_POINT": "无法连接设备的热点。", "CONNECTION_LOST": "与设备热点的连接中断。",
        "UNREADABLE_ANSWER": "设备热点的应答不符合协议。", "REFUSED": "设备拒绝了请求。",
        "WRONG_PROOF": "配网码与设备不符。", "UNSUPPORTED_SECURITY": "设备要求的加密方式未被允许。",
        "UNUSABLE_PASSWORD": "Wi-Fi 密码不可用：应为 8 到 63 字节，只有开放网络不需要密码。",
        "CLAIM_UNSUPPORTED": "设备只接受 Wi-Fi 网络，不能加入家庭。",
        "WRONG_PASSWORD": "Wi-Fi 网络拒绝了密码。", "NETWORK_NOT_FOUND": "设备找不到该 Wi-Fi 网络。",
        "NOT_SEEN": "设备没有及时出现在代理上。", "NAME_TAKEN": "家中已有设备使用这个标识。",
        "AUTHORITY": "未能签发设备证书。", "KEYCHAIN": "无法使用钥匙串。", "STORAGE": "无法记录此次添加。",
        "OTHER_PROCESS": "另一个进程正在继续此次添加。", "BROKER": "无法连接家中的代理。",
        "COMMIT_REFUSED": "设备没有确认入户。", "TIMED_OUT": "等待时间过长。", "CANCELLED": "已取消。",
        "WEAK_SESSION": "设备的加密会话不安全。", "SETUP_CODE": "配网码有误。",
    ]
}
