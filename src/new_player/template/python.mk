# make check tries the player out; make play lets it play against itself

PYTHON ?= python3
SERVER ?= server

check:
	"$(SERVER)" check bridge:"$(PYTHON) bot.py"

play:
	"$(SERVER)" bridge:"$(PYTHON) bot.py" bridge:"$(PYTHON) bot.py"

.PHONY: check play
