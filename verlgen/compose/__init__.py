"""presets + overrides -> Launch. Hydra and OmegaConf live here, and only here."""
