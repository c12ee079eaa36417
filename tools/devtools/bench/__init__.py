"""Speed and memory, beside the peers. Nothing here passes or fails."""
