# Thin on purpose: what is done and in which order is in xtask.

# What to run before a commit, without the fuzz targets.
check:
    cargo xtask test --only fmt --only clippy --only packages --only test --only doctest --only doc

# Everything, as CI runs it.
test:
    cargo xtask test

# What louver promises, with the target beside each figure.
bench *args:
    cargo xtask bench {{args}}
