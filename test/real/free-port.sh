# Sourced: free_port finds a free port of loopback for a process that the sourcing script starts, and leaves it in REPLY.

# A port of 20000 to 29999, out of the range from which systems give ports away. Its lock is inherited by the processes that
# are started below, so that it stays taken for as long as one of them lives.
locks=${TMPDIR:-/tmp}/ironchart-ports-$(id -u)
mkdir -p "$locks"
free_port() {
  local handle
  while :; do
    REPLY=$((20000 + RANDOM % 10000))
    exec {handle}>"$locks/$REPLY"
    if flock -n "$handle" && ! (exec 3<>"/dev/tcp/127.0.0.1/$REPLY") 2>/dev/null; then return; fi
    exec {handle}>&-
  done
}
