//! The wire form: one documented, versioned JSON shape, the same natively and over wasm.
