# `make` alone lists what can be done. Longer steps live in scripts/ and xtask/.
.DEFAULT_GOAL := help
.NOTPARALLEL:
SHELL := /bin/bash
STEP := @scripts/step

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run dev build clean
run: build ## build the release and serve it on http://127.0.0.1:3000
	@exec target/release/alcada serve

dev: install-build ## serve a debug build that follows the sources
	@scripts/dev

build: install-build ## build target/release/alcada, with its assets inside
	$(STEP) "release build" cargo xtask build

clean: ## remove everything that was built or installed here
	cargo clean
	rm -rf target tools/node_modules tools/.venv end2end/node_modules end2end/test-results end2end/playwright-report

# Everything that CI runs, what fails soonest first.
.PHONY: test
test: install-test fetch fmt-check lint test-sqlite test-postgres test-api build size e2e deny ## everything that CI runs
	@echo "everything passed"

.PHONY: lint fmt fmt-check
lint: install-lint ## clippy on both sides, and no server-only crate in the browser
	$(STEP) "clippy, server side" cargo clippy --quiet --workspace --exclude frontend --all-targets -- -D warnings
	$(STEP) "clippy, browser side" cargo clippy --quiet --package frontend --target wasm32-unknown-unknown -- -D warnings
	$(STEP) "crates in the browser" cargo xtask wasm-deps

fmt: install-lint ## format the code
	cargo fmt --all

fmt-check: install-lint
	$(STEP) "formatting" cargo fmt --all --check

.PHONY: test-sqlite test-postgres test-api test-crash e2e lighthouse size deny bench
test-sqlite: install-test ## unit and integration tests, on SQLite
	$(STEP) "tests on SQLite" cargo test --quiet --workspace --exclude frontend

test-postgres: install-test ## the tests that touch the database, on a PostgreSQL of their own
	$(STEP) "tests on PostgreSQL" scripts/with-postgres cargo test --quiet --workspace --exclude frontend --test it

test-api: install-test ## every route against what the OpenAPI document says of it
	@# As the tests build it: nothing is compiled twice.
	$(STEP) "build the server" cargo test --quiet --workspace --exclude frontend --test it --no-run
	$(STEP) "routes as documented" scripts/schemathesis

test-crash: install-test ## kill the server under load, 200 times on SQLite and 50 on PostgreSQL
	$(STEP) "crashes on SQLite" env ALCADA_CRASH_ROUNDS=200 cargo test --quiet --workspace --exclude frontend --test it s21_
	$(STEP) "crashes on PostgreSQL" env ALCADA_CRASH_ROUNDS=50 ALCADA_POSTGRES_DURABLE=1 scripts/with-postgres cargo test --quiet --workspace --exclude frontend --test it s21_

e2e: install-test build ## the browser journeys, on the release binary
	$(STEP) "browser journeys" scripts/e2e

lighthouse: install-test build ## what Lighthouse says of home, tools and executions
	$(STEP) "Lighthouse" scripts/lighthouse

size: build ## what the first page costs over the wire
	$(STEP) "size of the first page" cargo xtask size

deny: ## licences, sources and known advisories of the dependencies
	$(STEP) "dependencies" scripts/deny

bench: build ## measure the figures of docs/
	@scripts/bench

.PHONY: install-build install-lint install-test fetch
install-build install-lint install-test: install-%:
	$(STEP) "install what is missing ($*)" scripts/install $*

# Fails here, and not in the middle of a build, when Cargo.lock is not up to date.
fetch:
	$(STEP) "fetch crates" cargo fetch --locked
