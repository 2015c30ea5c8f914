# Homeport in two stages: the toolchain builds, a slim Debian runs.

FROM swift:6.3-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends make && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# What changes less often than the sources comes first: system packages, then dependencies.
COPY scripts/setup scripts/
RUN scripts/setup build run
COPY Package.swift ./
RUN swift package resolve
COPY . .
RUN make build \
    && install -D -s -t /out .build/release/homeport .build/release/homeport-dashboard \
        .build/release/homeport-sim

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates libcurl4 libmosquitto1 libqpid-proton11 libssl3 libwebsockets17 mosquitto mosquitto-clients \
        openssl tzdata util-linux wget \
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
