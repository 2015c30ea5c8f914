# Homeport in two stages: the toolchain builds, a slim Debian runs.

FROM swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends libmosquitto-dev libsqlite3-dev libssl-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# The dependencies first: they change less often than the sources.
COPY Package.swift ./
RUN swift package resolve
COPY . .
RUN scripts/link-statically "$(swift build -c release --show-bin-path)" libstdc++.a libsqlite3.a \
    && small="-Xlinker /src/.build/release/without-icu-data.o" \
    && release_build="swift build -c release --static-swift-stdlib -Xswiftc -Xfrontend \
        -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors" \
    && $release_build --product homeport \
        -Xlinker -no-pie -Xlinker --no-export-dynamic --disable-local-rpath $small \
    && $release_build --product homeport-dashboard $small \
    && $release_build --product homeport-sim \
    && install -D -s -t /out .build/release/homeport .build/release/homeport-dashboard \
        .build/release/homeport-sim

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates libmosquitto1 libssl3 mosquitto mosquitto-clients openssl tzdata util-linux \
        wget \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --create-home --home-dir /var/lib/homeport --uid 10001 homeport \
    && install -d -o homeport -g homeport -m 700 \
        /var/lib/homeport/authority /var/lib/homeport/identity /var/lib/homeport/identity/broker \
        /var/lib/homeport/identity/devices /var/lib/homeport/identity/controller \
        /var/lib/homeport/journal /var/lib/homeport/ledger
COPY --from=build /out/ /usr/local/bin/
COPY scripts/container-identity /usr/local/bin/
USER homeport
ENV XDG_STATE_HOME=/var/lib/homeport/ledger
VOLUME ["/var/lib/homeport/authority", "/var/lib/homeport/journal", "/var/lib/homeport/ledger"]
# A fleet on a private broker that `docker exec … homeport devices` finds; ready means healthy.
HEALTHCHECK --interval=10s --timeout=10s --start-period=30s --retries=3 \
    CMD ["homeport", "devices", "--connect-timeout", "5s"]
CMD ["homeport-sim", "run"]
