"""verlgen: terraform plan for verl."""

__version__ = "0.1.0"
