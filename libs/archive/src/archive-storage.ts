/** Stores files by key, such as `day=2026-11-21/agents.json`. */
export interface ArchiveStorage {
  /** Checks that files can be listed and written. @throws {ConfigurationError} if the configuration is wrong. */
  check(): Promise<void>;
  /** Returns the sizes in bytes of all files by key. The prefix is empty or ends with a slash. */
  list(prefix: string): Promise<Map<string, number>>;
  /** Returns null if the file doesn't exist. */
  read(key: string): Promise<Uint8Array | null>;
  /** Creates or replaces a file atomically: readers never see partial content. */
  write(key: string, content: Uint8Array): Promise<void>;
  delete(key: string): Promise<void>;
}
