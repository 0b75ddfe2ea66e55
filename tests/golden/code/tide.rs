use std::fmt;

/// The height of the water, in metres.
#[derive(Clone, Copy)]
pub struct Height<T>(T);

impl<T> Height<T> {
    /// A new one.
    pub fn new(value: T) -> Self {
        Height(value)
    }
}

mod gauge {
    pub fn read() -> f64 {
        4.5
    }
}
