// A player in Go. Begin with choose, which decides on a move; the rest keeps the board up to date.
//
// The server runs each game in a process of its own, so there is one game.
package main

// #define AMAZONS_NO_GSL
// #include "include/dir.h"
// #include "include/graph.h"
// #include "include/move.h"
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"unsafe"
)

const nowhere = ^C.uint(0)

var noMove = C.struct_move_t{nowhere, nowhere, nowhere}

var name = C.CString("{name}")

var seedName = C.CString("AMAZONS_SEED")

var (
	me     C.uint
	next   [][C.LAST_DIR + 1]C.uint // the neighbours of each vertex by direction, or nowhere
	taken  []bool                   // is there a queen or an arrow?
	queens [2][]C.uint
	given  []unsafe.Pointer // what finalize frees
)

// A random queen, step and arrow, among those that there are.
func choose() C.struct_move_t {
	var moves []C.struct_move_t
	for _, queen := range queens[me] {
		taken[queen] = false
		for _, to := range slides(queen) {
			for _, arrow := range slides(to) {
				moves = append(moves, C.struct_move_t{queen, to, arrow})
			}
		}
		taken[queen] = true
	}
	if len(moves) == 0 {
		return noMove
	}
	return moves[rand.Intn(len(moves))]
}

func slides(from C.uint) (found []C.uint) {
	for direction := C.FIRST_DIR; direction <= C.LAST_DIR; direction++ {
		for v := next[from][direction]; v != nowhere && !taken[v]; v = next[v][direction] {
			found = append(found, v)
		}
	}
	return found
}

func apply(player C.uint, move C.struct_move_t) {
	for i, queen := range queens[player] {
		if queen == move.queen_src {
			queens[player][i] = move.queen_dst
		}
	}
	taken[move.queen_src] = false
	taken[move.queen_dst], taken[move.arrow_dst] = true, true
}

// Takes in the neighbours of each vertex. Servers hand over CSR; some call the same arrays COO.
func read(t *C.gsl_spmatrix_uint) {
	if t.sptype == C.GSL_SPMATRIX_CSC {
		panic("the matrix is stored by columns")
	}
	next = make([][C.LAST_DIR + 1]C.uint, t.size1)
	taken = make([]bool, t.size1)
	ends := unsafe.Slice(t.p, t.size1+1)
	neighbours, directions := unsafe.Slice(t.i, ends[t.size1]), unsafe.Slice(t.data, ends[t.size1])
	for u := range next {
		for direction := range next[u] {
			next[u][direction] = nowhere
		}
		for k := ends[u]; k < ends[u+1]; k++ {
			if directions[k] != C.NO_DIR {
				next[u][directions[k]] = C.uint(neighbours[k])
			}
		}
	}
}

// A panic that leaves a function of C ends the process: say what it was, and give up.
func report() {
	if problem := recover(); problem != nil {
		fmt.Fprintln(os.Stderr, "{name}:", problem)
	}
}

//export get_player_name
func get_player_name() *C.char { return name }

//export initialize
func initialize(player C.uint, graph *C.struct_graph_t, numQueens C.uint, places **C.uint) {
	defer report()
	// os.Getenv knows only what was set when the process began.
	if seed, err := strconv.ParseUint(C.GoString(C.getenv(seedName)), 10, 64); err == nil {
		rand.Seed(int64(seed))
	}
	t := graph.t
	work := *(*unsafe.Pointer)(unsafe.Pointer(&t.work))
	given = []unsafe.Pointer{unsafe.Pointer(t.i), unsafe.Pointer(t.p), unsafe.Pointer(t.data), work,
		unsafe.Pointer(t), unsafe.Pointer(graph)}
	me = player
	read(t)
	for player, queensOf := range unsafe.Slice(places, 2) {
		given = append(given, unsafe.Pointer(queensOf))
		queens[player] = append([]C.uint(nil), unsafe.Slice(queensOf, numQueens)...)
		for _, queen := range queens[player] {
			taken[queen] = true
		}
	}
}

//export play
func play(previous C.struct_move_t) (move C.struct_move_t) {
	move = noMove // the answer after a panic
	defer report()
	if previous.queen_src != nowhere {
		apply(1-me, previous)
	}
	chosen := choose()
	if chosen != noMove {
		apply(me, chosen)
	}
	return chosen
}

//export finalize
func finalize() {
	for _, block := range given {
		C.free(block)
	}
	given = nil
}

func main() {}
