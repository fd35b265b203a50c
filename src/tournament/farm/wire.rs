use amazons_mpi::World;

/// Messages between ranks; nothing here waits.
pub trait Wire {
    /// Returns how many ranks there are.
    fn size(&self) -> usize;

    /// Sends a message.
    ///
    /// # Errors
    /// When it cannot be sent, in words.
    fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), String>;

    /// Lets messages get on, and returns how many are not sent yet.
    ///
    /// # Errors
    /// When one cannot be sent, in words.
    fn unsent(&mut self) -> Result<usize, String>;

    /// Returns the next message and the rank that it is from.
    ///
    /// # Errors
    /// When there will be none any more, in words.
    fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, String>;
}

impl Wire for World {
    fn size(&self) -> usize {
        self.size()
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), String> {
        self.send(to, bytes).map_err(|error| error.to_string())
    }

    fn unsent(&mut self) -> Result<usize, String> {
        self.unsent().map_err(|error| error.to_string())
    }

    fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, String> {
        self.receive().map_err(|error| error.to_string())
    }
}
