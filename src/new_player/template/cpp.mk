# make [OUT=file.so] [HEADERS=folder of player.h] [CXX=...] [CXXFLAGS=...] [LDLIBS=...]; make check tries the player out

OUT ?= {name}.so
HEADERS ?= include
CXXFLAGS ?= -O2 -g
SERVER ?= server

# --no-undefined: a missing function is an error here, not in the middle of a game. -fno-gnu-unique: two players in one
# process, as with --isolation none, do not share variables.
flags := -std=c++17 -Wall -Wextra -pedantic -fPIC -shared -Wl,--no-undefined
flags += $(if $(findstring clang,$(CXX)),,-fno-gnu-unique)
# clang links no runtime of -fsanitize=undefined into a library: there, what it finds is a trap, on its line.
flags += $(if $(findstring clang,$(CXX)),$(if $(findstring -fsanitize=undefined,$(CXXFLAGS)),-fsanitize-trap=undefined))

$(OUT): {name}.cpp $(wildcard $(HEADERS)/*.h) Makefile
	$(CXX) $(flags) $(CXXFLAGS) -I"$(HEADERS)" $(LDFLAGS) -o "$(OUT)" {name}.cpp $(LDLIBS)

check: $(OUT)
	"$(SERVER)" check ./$(OUT)

clean:
	rm -f "$(OUT)"

.PHONY: check clean
