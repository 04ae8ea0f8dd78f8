"""The only place that touches the machine."""
