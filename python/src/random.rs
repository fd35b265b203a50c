use std::convert::Infallible;

use rand::TryRng;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The generator xoshiro256++ of D. Blackman and S. Vigna (2018) with an open state, which copies of a batch take along.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Random(pub(crate) [u64; 4]);

impl Random {
    /// Seeds it as the authors advise.
    pub(crate) fn new(seed: u64) -> Self {
        let mut words = SplitMix64::seed_from_u64(seed);
        Self([(); 4].map(|()| words.next_u64()))
    }
}

impl TryRng for Random {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        // The upper bits are the better ones.
        Ok((self.try_next_u64()? >> 32) as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let [a, b, c, d] = self.0;
        let (third, fourth) = (c ^ a, d ^ b);
        self.0 = [a ^ fourth, b ^ third, third ^ (b << 17), fourth.rotate_left(45)];
        Ok(a.wrapping_add(d).rotate_left(23).wrapping_add(a))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.try_next_u64()?.to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}
