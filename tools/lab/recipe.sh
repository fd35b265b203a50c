#!/bin/sh
# Makes the linear weights and the network anew, from the hand-made weights on: see docs/strength.md.
#
# recipe.sh FOLDER [DIVISOR]: a DIVISOR of 1000 plays a thousandth of the games. A stage whose file is there is skipped,
# and a file is there only once it is whole: the same command goes on after a break. LAB is the program (default: built
# here), JOBS the number of threads (default: all cores).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
cd "$1"
divisor=${2:-1}
jobs=${JOBS:-$(nproc)}
lab() {
    if [ "${LAB-}" ]; then "$LAB" "$@"; else cargo run -qr --manifest-path "$root/Cargo.toml" -p amazons-lab -- "$@"; fi
}
stage() { # FILE COMMAND...
    [ -e "$1" ] && return
    echo "$1"
    shift
    lab "$@" --jobs "$jobs"
}
play() { # FILE GAMES SETTINGS...
    file=$1 games=$(($2 / divisor))
    shift 2
    stage "$file" play "$file" -n "$games" "$@"
}

play g1.txt 8000 --seed 11 --engine "weights=$root/tools/lab/hand_made.txt,budget=400"
stage w1.txt learn --from "$root/tools/lab/hand_made.txt" g1.txt -o w1.txt
play g2.txt 6000 --seed 12 --engine weights=w1.txt,budget=600
stage weights.txt learn --from "$root/tools/lab/hand_made.txt" g1.txt g2.txt -o weights.txt
play g4.txt 16000 --seed 14 --opening 4 --random 0.12 --engine weights=weights.txt,budget=300,minimax=0.6
stage n3.txt train g4.txt -o n3.txt --passes 6 --result 0.5
play g5.txt 16000 --seed 15 --opening 6 --random 0.18 --engine network=n3.txt,budget=350,minimax=0.6
stage n6.txt train g4.txt g5.txt -o n6.txt --passes 12 --result 0.4 --seed 3
play g6.txt 8000 --seed 16 --opening 6 --random 0.15 --engine network=n6.txt,budget=450,minimax=0.6 \
    --boards standard,standard,c8,c8,c10,d9,d10,t10,88,810,c6,c12,c14,t13,d12,812
stage network.txt train g4.txt g5.txt g6.txt -o network.txt --passes 12 --result 0.4 --seed 3
