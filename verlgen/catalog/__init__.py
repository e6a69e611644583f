"""GPUs and models: the sizes that presets, rules and forecasts build on. Facts are data files."""
