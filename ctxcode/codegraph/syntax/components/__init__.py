"""Components of one file each, of Vue, Svelte and Astro: scripts in markup, and what the markup says of them."""
