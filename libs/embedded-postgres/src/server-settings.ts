/**
 * Returns the server's command-line arguments. Settings are passed here instead of in postgresql.conf so that they
 * change with the release.
 * @param overrides PostgreSQL settings that override ours, by name.
 */
export function serverArguments(cluster: string, port: number, overrides: Record<string, string>): string[] {
  return [
    '-D',
    cluster,
    '-p',
    String(port),
    ...Object.entries({ ...settings(), ...overrides }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

function settings(): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '50',

    shared_buffers: '128MB',
    // In a container that limits huge pages, using them gets the server killed.
    huge_pages: 'off',
    // By default, Docker limits /dev/shm to 64 MB, too little for parallel queries. macOS limits System V shared
    // memory.
    ...(process.platform === 'linux' && { dynamic_shared_memory_type: 'sysv' }),
    // Compiling takes longer than our queries do.
    jit: 'off',

    fsync: 'on',
    synchronous_commit: 'on',
    // Full-page writes after each checkpoint make up most of the write-ahead log. Compress them, and checkpoint less
    // often.
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
    // Our log adds the time. Statements are not logged, because they may contain visitor data.
    log_line_prefix: '',
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
  };
}
