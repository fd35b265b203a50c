# make: builds {name}.so with go, which rebuilds only what changed; make check tries the player out

GO ?= go
SERVER ?= server

all:
	$(GO) build -buildvcs=false -buildmode=c-shared -o {name}.so .

# Go's runtime starts threads of its own.
check: all
	"$(SERVER)" check --threads 6 ./{name}.so

clean:
	rm -f {name}.so {name}.h

.PHONY: all check clean
