/**
 * The server's command line. Settings are given here and not in postgresql.conf, so that they change with the release.
 * @param overrides Settings of PostgreSQL that win over ours, by name.
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
    // Containers with a limit on huge pages kill the server that tries them.
    huge_pages: 'off',
    // Docker gives /dev/shm only 64 MB, too little for parallel queries; macOS has little of the other kind.
    ...(process.platform === 'linux' && { dynamic_shared_memory_type: 'sysv' }),
    // Compiling takes longer than our queries.
    jit: 'off',

    fsync: 'on',
    synchronous_commit: 'on',
    // Pages that are written whole after each checkpoint are most of the log: compress them, and have fewer checkpoints.
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
    // Our log has the time; and statements may hold what visitors sent.
    log_line_prefix: '',
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
  };
}
