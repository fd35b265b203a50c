//! Graphs in every convention of other servers, and broken ones.

use std::ffi::{c_int, c_uint};
use std::ptr;

use amazons_player::abi::{GraphT, SPMATRIX_COO, SPMATRIX_CSC, SPMATRIX_CSR};
use amazons_player::graph::{read_board, read_queens};
use amazons_player::rules::{Board, Directions, Shape};

use super::raw_graph::{Edge, RawGraph, STORAGE_TYPES, edges_of};

fn read(raw: &mut RawGraph) -> Result<Board, String> {
    let graph = raw.link();
    // SAFETY: the arrays match the sizes, or the test made a size smaller.
    unsafe { read_board(graph) }.map_err(|why| why.to_string())
}

fn sorted(mut edges: Vec<Edge>) -> Vec<Edge> {
    edges.sort_unstable();
    edges
}

/// Reads the edges in every storage type and compares.
fn assert_reads_as(edges: &[Edge], size1: usize, size2: usize, num_vertices: c_uint) {
    for (sptype, name) in STORAGE_TYPES {
        let mut raw = RawGraph::new(sptype, size1, size2, edges);
        raw.graph.num_vertices = num_vertices;
        let board = read(&mut raw).unwrap_or_else(|why| panic!("{name} {size1} x {size2}: {why}"));
        assert_eq!(board.vertex_ids(), size1.max(size2), "{name}");
        let expected: Vec<_> = edges.iter().copied().filter(|edge| edge.2 != 0).collect();
        assert_eq!(sorted(edges_of(&board, Directions::Subject)), sorted(expected), "{name}");
    }
}

fn boards() -> impl Iterator<Item = (Board, Vec<Edge>)> {
    // An interpreter takes minutes for a large board.
    let sizes: &[u32] = if cfg!(miri) { &[5] } else { &[5, 6, 9, 12] };
    Shape::ALL.into_iter().flat_map(|shape| sizes.iter().map(move |&m| Board::new(shape, m))).flat_map(|board| {
        let board = board.expect("the size is legal");
        [Directions::Subject, Directions::Ring].map(|directions| {
            let edges = edges_of(&board, directions);
            (board.clone(), edges)
        })
    })
}

#[test]
fn holes_as_vertices_without_edges() {
    for (board, edges) in boards() {
        let n = board.vertex_ids();
        assert_reads_as(&edges, n, n, c_uint::try_from(n).expect("it is small"));
    }
}

#[test]
fn a_compact_count_with_ids_of_the_grid() {
    for (board, edges) in boards() {
        let n = board.vertex_ids();
        assert_reads_as(&edges, n, n, c_uint::try_from(board.vertex_count()).expect("it is small"));
    }
}

#[test]
fn compact_ids_in_a_matrix_that_is_not_square() {
    for (board, edges) in boards() {
        let vertices: Vec<_> = board.vertices().map(u32::cast_signed).collect();
        let compact = |id: c_int| {
            let rank = vertices.binary_search(&id).expect("edges join vertices");
            c_int::try_from(rank).expect("it is small")
        };
        let edges: Vec<_> = edges.iter().map(|&(from, to, label)| (compact(from), compact(to), label)).collect();
        let count = c_uint::try_from(vertices.len()).expect("it is small");
        assert_reads_as(&edges, vertices.len(), vertices.len(), count);
        assert_reads_as(&edges, vertices.len(), board.vertex_ids() + 3, count);
        assert_reads_as(&edges, board.vertex_ids() + 3, vertices.len(), count);
    }
}

#[test]
fn only_the_four_cardinal_directions() {
    for (board, mut edges) in boards() {
        edges.retain(|edge| edge.2 % 2 == 1);
        let n = board.vertex_ids();
        assert_reads_as(&edges, n, n, c_uint::try_from(n).expect("it is small"));
    }
}

#[test]
fn explicit_zeros_are_no_edges() {
    for (board, mut edges) in boards() {
        let n = board.vertex_ids();
        let last = c_int::try_from(n - 1).expect("it is small");
        for from in 0..=last {
            for to in [from, (from + 3) % last, last - from] {
                if !edges.iter().any(|edge| (edge.0, edge.1) == (from, to)) {
                    edges.push((from, to, 0));
                }
            }
        }
        assert_reads_as(&edges, n, n, c_uint::try_from(n).expect("it is small"));
    }
}

#[test]
fn entries_that_are_stored_twice_count_once() {
    let board = Board::new(Shape::Square, 5).expect("the size is legal");
    let edges = edges_of(&board, Directions::Subject);
    let twice: Vec<_> = edges.iter().flat_map(|&edge| [edge, edge]).collect();
    for (sptype, name) in STORAGE_TYPES {
        let board = read(&mut RawGraph::new(sptype, 25, 25, &twice)).expect(name);
        assert_eq!(sorted(edges_of(&board, Directions::Subject)), sorted(edges.clone()), "{name}");
    }
}

#[test]
fn csr_arrays_that_say_coo_are_read_as_csr() {
    for (board, edges) in boards() {
        let n = board.vertex_ids();
        let vertices: Vec<_> = board.vertices().map(u32::cast_signed).collect();
        let mut raw = RawGraph::new(SPMATRIX_CSR, n, n, &edges);
        raw.matrix.sptype = SPMATRIX_COO;
        // Nothing after the offsets is ours.
        raw.p.shrink_to_fit();
        let read = read(&mut raw).expect("a board in CSR form");
        assert_eq!(sorted(edges_of(&read, Directions::Subject)), sorted(edges.clone()));
        assert!(read.vertices().map(u32::cast_signed).eq(vertices));
    }
}

#[test]
fn coo_whose_columns_ascend_like_offsets_stays_coo() {
    for (board, mut edges) in boards() {
        let n = board.vertex_ids();
        edges.sort_unstable_by_key(|edge| (edge.1, edge.0));
        let read = read(&mut RawGraph::new(SPMATRIX_COO, n, n, &edges)).expect("a board in COO form");
        assert_eq!(sorted(edges_of(&read, Directions::Subject)), sorted(edges));
    }
    // Four edges among more vertices: there is no place in `p` where CSR would have its last offset.
    for n in [3, 5, 100] {
        let line = [(1, 0, 3), (0, 1, 7), (2, 1, 3), (1, 2, 7)];
        let read = read(&mut RawGraph::new(SPMATRIX_COO, n, n, &line)).expect("a line of three vertices");
        assert_eq!(sorted(edges_of(&read, Directions::Subject)), sorted(line.to_vec()));
    }
}

#[test]
fn edges_without_a_way_back_are_dropped() {
    for (board, edges) in boards() {
        let n = board.vertex_ids();
        let (m, last) = (c_int::try_from(board.columns()).expect("small"), c_int::try_from(n - 1).expect("small"));
        // One of them leaves in the direction of a good edge, one has no direction at all.
        let strays =
            [(last + 1 - m, last - m, 3), (last + 1 - m, last - 2 * m, 8), (0, last, edges[0].2), (0, m + 2, 99)];
        for (sptype, name) in STORAGE_TYPES {
            let mut raw = RawGraph::new(sptype, n, n, &[&edges[..], &strays].concat());
            let read = read(&mut raw).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert_eq!(sorted(edges_of(&read, Directions::Subject)), sorted(edges.clone()), "{name}");
        }
    }
}

#[test]
fn a_graph_of_one_way_edges_alone_is_refused() {
    let board = Board::new(Shape::Square, 5).expect("the size is legal");
    let mut edges = edges_of(&board, Directions::Subject);
    edges.retain(|edge| edge.0 < edge.1);
    for (sptype, name) in STORAGE_TYPES {
        let why = read(&mut RawGraph::new(sptype, 25, 25, &edges)).expect_err(name);
        assert!(why.ends_with("has no edge back in one opposite direction"), "{name}: {why}");
    }
}

#[test]
fn the_grid_shows_in_the_notation() {
    let board = Board::new(Shape::Clover, 10).expect("the size is legal");
    let mut raw = RawGraph::new(SPMATRIX_CSR, 100, 100, &edges_of(&board, Directions::Ring));
    let read = read(&mut raw).expect("it is a good graph");
    assert_eq!((read.columns(), read.rows()), (10, 10));
    for vertex in board.vertices() {
        assert_eq!(read.square(vertex), board.square(vertex));
    }
}

type Spoil = fn(&mut RawGraph);

/// Builds a good graph, corrupts it, and expects a message.
fn assert_refused(sptype: c_int, message: &str, spoil: Spoil) {
    let board = Board::new(Shape::Donut, 6).expect("the size is legal");
    let mut raw = RawGraph::new(sptype, 36, 36, &edges_of(&board, Directions::Subject));
    assert!(read(&mut raw).is_ok());
    spoil(&mut raw);
    let why = read(&mut raw).expect_err(message);
    assert!(why.contains(message), "`{why}` instead of `{message}`");
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    for (sptype, _) in STORAGE_TYPES {
        assert_refused(sptype, "storage type", |raw| raw.matrix.sptype = 3);
        assert_refused(sptype, "storage type", |raw| raw.matrix.sptype = -1);
        assert_refused(sptype, "0 x 36", |raw| raw.matrix.size1 = 0);
        assert_refused(sptype, "cannot be a board", |raw| raw.matrix.size2 = usize::MAX);
        assert_refused(sptype, "out of range", |raw| raw.i[7] = -1);
        assert_refused(sptype, "out of range", |raw| raw.i[7] = 36);
        assert_refused(sptype, "directions are 1 to 8", |raw| raw.data[7] = 9);
        assert_refused(sptype, "in direction", |raw| raw.data[7] = raw.data[7] % 8 + 1);
    }
    for sptype in [SPMATRIX_CSR, SPMATRIX_CSC] {
        assert_refused(sptype, "offset", |raw| raw.p[3] = -1);
        assert_refused(sptype, "offset", |raw| raw.p[3] = c_int::MAX);
        assert_refused(sptype, "offset", |raw| raw.p[3] = raw.p[5]);
        assert_refused(sptype, "last offset", |raw| raw.p[36] = c_int::MAX);
        assert_refused(sptype, "last offset", |raw| raw.matrix.nzmax -= 1);
    }
    assert_refused(SPMATRIX_COO, "out of range", |raw| raw.p[7] = -1);
    assert_refused(SPMATRIX_COO, "out of range", |raw| raw.p[7] = 36);
    assert_refused(SPMATRIX_COO, "number of entries", |raw| raw.matrix.nz += 1);
}

#[test]
fn edges_that_contradict_each_other_are_refused() {
    let board = Board::new(Shape::Square, 5).expect("the size is legal");
    for (sptype, name) in STORAGE_TYPES {
        let mut edges = edges_of(&board, Directions::Subject);
        let (from, to, label) = edges[0];
        edges.push((from, to, label % 8 + 1));
        let why = read(&mut RawGraph::new(sptype, 25, 25, &edges)).expect_err(name);
        assert_eq!(why, "two vertices are joined twice", "{name}");
    }
}

#[test]
fn pointers_to_nothing_are_refused() {
    let board = Board::new(Shape::Donut, 6).expect("the size is legal");
    let edges = edges_of(&board, Directions::Subject);
    let break_pointers: [(&str, Spoil); 7] = [
        ("graph->t", |raw| raw.graph.t = ptr::null_mut()),
        ("graph->t", |raw| raw.graph.t = ptr::without_provenance_mut(13)),
        ("matrix's i", |raw| raw.matrix.i = ptr::null_mut()),
        ("matrix's data", |raw| raw.matrix.data = ptr::null_mut()),
        ("matrix's p", |raw| raw.matrix.p = ptr::null_mut()),
        ("matrix's p", |raw| raw.matrix.p = ptr::without_provenance_mut(1)),
        ("matrix's i", |raw| raw.matrix.i = ptr::without_provenance_mut(2)),
    ];
    for (sptype, _) in STORAGE_TYPES {
        for (what, break_pointer) in break_pointers {
            let mut raw = RawGraph::new(sptype, 36, 36, &edges);
            raw.link();
            break_pointer(&mut raw);
            // SAFETY: the function promises to refuse NULL and misaligned pointers.
            let why = unsafe { read_board(&raw const raw.graph) }.expect_err(what).to_string();
            assert!(why.contains(what), "{why}");
        }
    }
    // SAFETY: as above.
    let why = unsafe { read_board(ptr::null::<GraphT>()) }.expect_err("NULL").to_string();
    assert_eq!(why, "graph is not a valid pointer");
}

#[test]
fn queens_are_read_and_checked() {
    let mut first = [1, 2];
    let mut second = [8, 9];
    let read = |queens: &[*mut c_uint; 2], count, ids| {
        // SAFETY: the arrays have two queens, as many as the tests ask for at most when the count is believed.
        unsafe { read_queens(queens.as_ptr(), count, ids) }.map_err(|why| why.to_string())
    };
    let queens = [first.as_mut_ptr(), second.as_mut_ptr()];
    assert_eq!(read(&queens, 2, 10), Ok([vec![1, 2], vec![8, 9]]));
    assert_eq!(read(&queens, 2, 9), Err("queen 9 is out of range".to_owned()));
    assert_eq!(read(&queens, 11, 10), Err("num_queens 11 is out of range".to_owned()));
    assert_eq!(read(&[ptr::null_mut(); 2], 0, 10), Ok([vec![], vec![]]));
    let why = read(&[queens[0], ptr::null_mut()], 2, 10);
    assert_eq!(why, Err("an array of queens is not a valid pointer".to_owned()));
    // SAFETY: the function promises to refuse NULL.
    let why = unsafe { read_queens(ptr::null(), 2, 10) }.expect_err("NULL").to_string();
    assert_eq!(why, "queens is not a valid pointer");
}
