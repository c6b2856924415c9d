"""The RHex flip: a hexapod rights itself under two controllers, measured beside what was published."""
