#!/usr/bin/env bash
# Gradescope runs this once, as root on Ubuntu, when it makes the image of the autograder.
set -euo pipefail
apt-get update -qq
apt-get install -y -qq build-essential libgsl-dev
