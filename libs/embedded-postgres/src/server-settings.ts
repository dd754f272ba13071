/**
 * Returns the server's command-line arguments. Settings are passed as arguments instead of in postgresql.conf, so a new
 * release can change them.
 * @param overrides PostgreSQL settings by name, which override the defaults.
 */
export function getServerArguments(cluster: string, port: number, overrides: Record<string, string>): string[] {
  return [
    '-D',
    cluster,
    '-p',
    String(port),
    ...Object.entries({ ...getDefaultSettings(), ...overrides }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

function getDefaultSettings(): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '50',

    shared_buffers: '128MB',
    // In a container that limits huge pages, using them gets the server killed.
    huge_pages: 'off',
    // Docker limits /dev/shm to 64 MB by default, which is too little for parallel queries. macOS limits System V
    // shared memory.
    ...(process.platform === 'linux' && { dynamic_shared_memory_type: 'sysv' }),
    // JIT compilation takes longer than our queries.
    jit: 'off',

    fsync: 'on',
    synchronous_commit: 'on',
    // Most of the write-ahead log consists of full-page writes after checkpoints. Compression and less frequent
    // checkpoints reduce it.
    wal_compression: 'pglz',
    min_wal_size: '256MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    checkpoint_completion_target: '0.9',

    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_destination: 'stderr',
    logging_collector: 'off',
    // Our logger adds the time. Statements aren't logged because they may contain visitor data.
    log_line_prefix: '',
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
  };
}
