internal import AlibabaAdapter
internal import DeviceDomain

extension ChannelSetup {
    /// The devices of some products of a platform.
    static func alibabaCloud(
        _ platform: AlibabaPlatform, connectTimeout: Duration
    ) -> ChannelSetup {
        ChannelSetup(
            id: platform.id, kind: .alibabaCloud, address: platform.address,
            diagnose: { context in
                let configuration = platform.configuration(
                    in: context.home, connectTimeout: connectTimeout)
                return AlibabaCheck(
                    address: platform.address, subscription: platform.subscription?.description,
                    group: platform.group, report: await AlibabaProbe(configuration).run()
                ).findings
            },
            make: { context in
                AlibabaChannel(
                    platform.configuration(in: context.home, connectTimeout: connectTimeout),
                    logger: context.logger)
            })
    }
}
