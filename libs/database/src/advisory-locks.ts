/**
 * Keys of PostgreSQL advisory locks. They share one namespace per database, so define every key here. Never change a
 * key: two releases run side by side during an update.
 */
export const ADVISORY_LOCKS = {
  migrations: 4_116_820_611,
  partitions: 4_116_820_612,
  /** Ensures that only one process creates the instance's initial data. */
  bootstrap: 4_116_820_613,
  firstAccount: 4_116_820_614,
  /** Limits alert evaluation to one process. */
  alerts: 4_116_820_615,
  catalogSeed: 4_116_820_617,
  assistants: 4_116_820_623,
  /** Limits publishing to one process, so audit entries stay in order. */
  auditOutbox: 4_116_820_631,
  administrators: 4_116_820_632,
  robotsHosts: 4_116_820_633,
  /** Limits publishing to one process, so visit changes stay in order. */
  visitChanges: 4_116_820_634,
  /** Limits archiving to one process. */
  archive: 4_116_820_635,
  /** Limits moving the visits to another database to one process. */
  moveVisits: 4_116_820_636,
  /** Prevents re-identification from changing visits while they are being erased, archived or restored. */
  visitErasure: 4_116_820_637,
  countSums: 4_116_827,
} as const;

/** First key of the two-key locks on count shards. The second key is the shard number. */
export const SHARD_LOCK_KEY = 411_682;
