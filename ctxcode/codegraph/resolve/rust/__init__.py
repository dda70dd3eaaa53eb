"""What only Rust has: crates by other names and programs by their manifests."""
