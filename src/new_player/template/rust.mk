# make: builds {name}.so with cargo, which rebuilds only what changed.

CARGO ?= cargo

.PHONY: all
all:
	@$(CARGO) build --release --target-dir target
	@install -C -m 644 target/release/*.so {name}.so

.PHONY: clean
clean:
	rm -rf target {name}.so
