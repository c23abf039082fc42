"""What the renderer learns from: clips of worlds or of videos, kept as shards, read back for training."""
