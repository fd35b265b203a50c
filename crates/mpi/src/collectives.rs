//! Calls that all ranks make together, over plain messages: every back-end behaves alike, and naps while it waits.

use crate::deadline::Deadline;
use crate::message::{Filter, TAG_MAX, Tag, WorldError};
use crate::world::World;

const BROADCAST: Tag = TAG_MAX + 1;
const GATHER: Tag = TAG_MAX + 2;

pub(crate) fn broadcast<W: World + ?Sized>(
    world: &mut W,
    root: usize,
    bytes: Vec<u8>,
    deadline: Deadline,
) -> Result<Vec<u8>, WorldError> {
    if world.rank() != root {
        return Ok(world.receive(Filter::ANY.sent_by(root).with_tag(BROADCAST), deadline)?.bytes);
    }
    for to in (0..world.size()).filter(|&to| to != root) {
        world.send(to, BROADCAST, bytes.clone())?;
    }
    Ok(bytes)
}

pub(crate) fn gather<W: World + ?Sized>(
    world: &mut W,
    root: usize,
    bytes: Vec<u8>,
    deadline: Deadline,
) -> Result<Vec<Vec<u8>>, WorldError> {
    if world.rank() != root {
        world.send(root, GATHER, bytes)?;
        return Ok(Vec::new());
    }
    let mut own = Some(bytes);
    let mut all = Vec::with_capacity(world.size());
    for from in 0..world.size() {
        all.push(if from == root {
            own.take().unwrap_or_default()
        } else {
            // Each rank's messages keep their order, so this one belongs to this gathering.
            world.receive(Filter::ANY.sent_by(from).with_tag(GATHER), deadline)?.bytes
        });
    }
    Ok(all)
}

pub(crate) fn barrier<W: World + ?Sized>(world: &mut W, deadline: Deadline) -> Result<(), WorldError> {
    gather(world, 0, Vec::new(), deadline)?;
    broadcast(world, 0, Vec::new(), deadline).map(drop)
}
