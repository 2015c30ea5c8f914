# Homeport: every task of the project. `make help` lists them.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
RELEASE := .build/release
# A process of one command is short, and its start counts. At a fixed address it has 93,000
# relocations fewer, with the C++ library and SQLite linked in 2,700 symbols fewer to look up, and
# with no symbols of its own on offer each look-up is shorter.
FAST_START := -Xlinker -no-pie -Xlinker --no-export-dynamic --disable-local-rpath
# Generic types that the compiler knows are made by a call instead of by their name, for which the
# runtime would search the 7,000 conformances of the program, type by type. Each function has a section of its
# own, so that the linker can leave it out. The linker is the toolchain's own, which reads SMALL.
# Rooms in which no time is felt are compiled for size (Package.swift).
COMMIT := $(shell git describe --always --dirty --abbrev=40 --exclude '*' 2>/dev/null)
RELEASE_BUILD := SMALL_ROOMS=1 HOMEPORT_COMMIT=$(COMMIT) $(SWIFT) build -c release --static-swift-stdlib -Xswiftc -use-ld=lld \
	-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
	-Xswiftc -Xfrontend -Xswiftc -function-sections
# In a fresh clone the link $(RELEASE) is there only after the first build: the folder has another name.
LINK_FOLDER = $(shell $(SWIFT) build -c release --show-bin-path)
LINK_STATICALLY = scripts/link-statically "$(LINK_FOLDER)" libstdc++.a libsqlite3.a
# Without what nothing here asks for (scripts/link-statically), and with one of all functions that are alike:
# homeport takes 31.5 MB instead of 79.
SMALL = -Xlinker --icf=all -Xlinker -T -Xlinker $(LINK_FOLDER)/without-unwinding.ld -Xlinker --no-eh-frame-hdr
WITHOUT_ICU = -Xlinker --wrap=_swift_stdlib_getScalarName -Xlinker "--remap-inputs=*/lib_FoundationICU.a=$(LINK_FOLDER)/without-icu.o"
WITHOUT_ICU_DATA = -Xlinker $(LINK_FOLDER)/without-icu-data.o \
	$(foreach version,$(shell seq 70 89),-Xlinker --wrap=icudt$(version)_dat)
# The packages that use ours from outside are built where ours is, so that nothing is compiled twice.
# Each product by itself: without one, SwiftPM also links the shared libraries of all dependencies, for
# which the static SQLite in that folder is not made.
BENCH_BUILD := $(RELEASE_BUILD) --package-path Benchmarks --scratch-path .build
BENCH_PROGRAMS := mqtt-bench home-bench command-bench history-bench ledger-bench mqtt-soak
STYLED := $(wildcard Package.swift Sources simulators Tools Tests Fuzz Benchmarks Examples)

.DEFAULT_GOAL := help
.PHONY: help setup build programs test examples interop interop-home-assistant interop-matter demo bench bench-build bench-mqtt bench-fleet bench-commands bench-dashboard bench-channels bench-history bench-ledger kill-soak kill-failover kill-instances kill-matter instructions soak docs docc api install format lint tsan asan fuzz screens pictures clean

help: ## Lists these tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-23s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# SwiftPM sees which source files came or went only behind a manifest that is newer than the last build.
setup: ## Installs the system packages that building and running need, if any is missing
	@touch Package.swift Benchmarks/Package.swift Examples/Package.swift Examples/MQTTAlone/Package.swift
	@scripts/setup build run

build: programs ## Builds all programs and the plugin for mosquitto for release into .build/release
	$(RELEASE_BUILD) --product homeport-dashboard $(SMALL) $(WITHOUT_ICU_DATA)
	@scripts/setup plugin
	scripts/alink-plugin $(RELEASE)/homeport-alink.so

programs: setup ## Builds homeport and homeport-sim for release, without the dashboard
	@$(LINK_STATICALLY)
	$(RELEASE_BUILD) --product homeport $(FAST_START) $(SMALL) $(WITHOUT_ICU)
	$(RELEASE_BUILD) --product homeport-sim $(SMALL)

test: setup ## Builds and runs every test
	@scripts/setup test
	$(SWIFT) build --build-tests
	@scripts/run-tests .build/debug

examples: setup ## Builds the programs that use the products as an outsider would
	$(SWIFT) build --product homeport
	$(SWIFT) build --package-path Examples --scratch-path .build
	$(SWIFT) build --package-path Examples/MQTTAlone
	@scripts/check-client-alone

interop: setup ## Tries both programs with an independent client and device in Python
	@scripts/setup interop
	$(SWIFT) build --product homeport
	$(SWIFT) build --product homeport-sim
	HOMEPORT_BIN="$(CURDIR)/.build/debug" PYTHONDONTWRITEBYTECODE=1 \
	"$$(scripts/peer alibaba || echo /usr/bin/python3)" -W ignore::DeprecationWarning \
	-m unittest discover -s Tests/Interoperability -v

interop-matter: setup ## Tries a channel of kind matter with python-matter-server from PyPI, in a network of its own
	@scripts/setup interop matter
	$(SWIFT) build --product homeport
	HOMEPORT_BIN="$(CURDIR)/.build/debug" PYTHONDONTWRITEBYTECODE=1 MATTER_SERVER="$$(scripts/peer matter-server)" \
	unshare -rn sh -c 'ip link set lo up && ip link add home0 type veth peer name home1 && \
	ip address add 10.55.0.1/24 dev home0 && ip link set home0 up && ip link set home1 up && \
	exec /usr/bin/python3 -m unittest discover -s Tests/Interoperability -p test_matter_server.py -v'

screens: setup ## Looks at the dashboard in Chromium: every page, three widths, both themes and languages
	@scripts/setup screens
	$(SWIFT) build --product homeport
	$(SWIFT) build --product homeport-dashboard
	$(SWIFT) build --product homeport-sim
	HOMEPORT_BIN="$(CURDIR)/.build/debug" PYTHONDONTWRITEBYTECODE=1 \
	/usr/bin/python3 -m unittest discover -s Tests/Screens -v

pictures: build ## Writes the pictures of the README into docs/images
	@scripts/setup screens
	HOMEPORT_BIN="$(CURDIR)/.build/release" PYTHONDONTWRITEBYTECODE=1 \
	/usr/bin/python3 Tests/Screens/pictures.py docs/images

interop-home-assistant: setup ## Tries 'serve --home-assistant' with a Home Assistant from PyPI, about 1 GB
	@scripts/setup interop home-assistant
	$(SWIFT) build --product homeport
	$(SWIFT) build --product homeport-sim
	HOMEPORT_BIN="$(CURDIR)/.build/debug" PYTHONDONTWRITEBYTECODE=1 \
	HOME_ASSISTANT="$$(scripts/peer home-assistant)" \
	/usr/bin/python3 -m unittest discover -s Tests/Interoperability -p test_home_assistant.py -v

demo: programs ## Shows a fleet and its commands from nothing, in under a minute after the build
	@scripts/demo

bench-build: setup ## Builds the programs that measure, beside the release of ours
	@$(LINK_STATICALLY)
	@for program in $(BENCH_PROGRAMS); do $(BENCH_BUILD) --product $$program 1>&2 || exit 1; done

bench: programs bench-build ## Measures this fleet beside raw libmosquitto, tab-separated
	@scripts/setup bench
	@Benchmarks/run

bench-mqtt: bench-build ## Measures MQTTClient beside raw libmosquitto, tab-separated: about half an hour
	@scripts/setup bench
	@Benchmarks/run-mqtt

bench-fleet: programs ## Measures fleets of 1,000 to 100,000 devices beside raw libmosquitto, tab-separated
	@scripts/setup bench
	@Benchmarks/run-fleet

bench-commands: programs bench-build ## Measures commands through Home beside raw libmosquitto, tab-separated
	@scripts/setup bench
	@Benchmarks/run-commands

bench-dashboard: build ## Measures the dashboard of a thousand devices with one and with many open pages
	@scripts/setup bench interop
	@Benchmarks/run-dashboard

bench-channels: programs ## Measures channels of kind matter and alibaba-cloud on stand-ins for their servers
	@scripts/setup bench interop
	@Benchmarks/run-channels

bench-history: programs bench-build ## Measures the history of a home after a year: its size, and how long reading takes
	@Benchmarks/run-history

bench-ledger: bench-build ## Measures a ledger in PostgreSQL beside bare inserts of pgbench
	@scripts/setup database test
	@Benchmarks/run-ledger

kill-soak: programs ## Kills homeport send KILLS (10000) times and checks that no command is lost or runs twice
	@scripts/setup bench
	@Benchmarks/kill-soak --kills $(or $(KILLS),10000)

kill-failover: programs ## Kills controllers and two brokers KILLS (1000) times and checks that failover loses no command
	@scripts/setup bench interop
	@/usr/bin/python3 Benchmarks/kill-failover --kills $(or $(KILLS),1000)

kill-instances: programs ## Kills instances, brokers and PostgreSQL under COMMANDS (2000) commands of two machines
	@scripts/setup bench interop database test
	@/usr/bin/python3 Benchmarks/kill-instances --commands $(or $(COMMANDS),2000)
	@/usr/bin/python3 Benchmarks/kill-instances --commands $(or $(COMMANDS),2000) --rabbitmq

kill-matter: programs ## Kills controllers, a Matter server and a broker KILLS (1000) times: as kill-failover
	@scripts/setup bench interop
	@Benchmarks/kill-matter --kills $(or $(KILLS),1000)

instructions: bench-build ## Counts the instructions of MQTTClient per message, beside those of the last release
	@scripts/setup bench
	@Benchmarks/instructions

soak: bench-build ## Runs clients on a broker that dies and comes back, for SOAK_MINUTES (60, at least 5)
	@$(RELEASE)/mqtt-soak $(or $(SOAK_MINUTES),60) $(or $(SOAK_SEED),1)

docs: setup ## Writes the JSON schemas of payloads and scenarios, the AsyncAPI document and the diagram of commands into docs
	$(SWIFT) run homeport-docs docs

docc: setup ## Builds the documentation of both libraries into .build/plugins; needs swift-docc-plugin
	DOCC=1 $(SWIFT) package generate-documentation --target MQTTClient --warnings-as-errors
	DOCC=1 $(SWIFT) package generate-documentation --target Homeport --warnings-as-errors

api: setup ## Compares the public interface with that of the latest release
	$(SWIFT) build --target Homeport
	$(SWIFT) build --target HomeportTesting
	@SWIFT="$(SWIFT)" scripts/check-api

install: build ## Installs programs, completions, manual pages and a systemd unit: PREFIX=, DESTDIR=
	@scripts/setup scripts
	@DESTDIR="$(DESTDIR)" scripts/install "$(RELEASE)" "$(PREFIX)"

format: ## Formats every Swift file
	$(SWIFT) format -i -p -r $(STYLED)

lint: ## Checks style and walls
	@scripts/setup scripts
	$(SWIFT) format lint --strict -p -r $(STYLED)
	@scripts/check-walls --self-test
	@scripts/check-walls
	@scripts/check-signals

tsan: setup ## Runs the tests under ThreadSanitizer, in a build of its own
	@scripts/setup test
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build-tsan
	TSAN_OPTIONS="suppressions=$(CURDIR)/.tsan-suppressions halt_on_error=0" \
	scripts/run-tests .build-tsan/debug

# Leaks are not looked for: LeakSanitizer does not follow the pointers in which Swift keeps marks, and
# takes what globals hold for lost. What grows is found by ConnectionCyclesTests and by make soak.
asan: setup ## Runs the tests under AddressSanitizer, in a build of its own
	@scripts/setup test
	$(SWIFT) build --build-tests --sanitize=address --scratch-path .build-asan
	ASAN_OPTIONS=detect_leaks=0 scripts/run-tests .build-asan/debug

fuzz: setup ## Feeds what reads from the network with libFuzzer, FUZZ_SECONDS (60) per target
	@scripts/fuzz $(FUZZ_SECONDS)

clean: ## Removes every build
	rm -rf .build .build-tsan .build-asan .build-fuzz Benchmarks/.build Examples/.build Examples/MQTTAlone/.build
