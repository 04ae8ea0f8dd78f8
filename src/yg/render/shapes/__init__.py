"""The shapes of all JSON documents, one module for each module of `render` that builds them."""
