"""What only JavaScript and TypeScript have: prototypes, and functions that are called on the spot."""
