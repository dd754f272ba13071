/**
 * Keys of PostgreSQL advisory locks. Each must be unique within a database, so all of them are defined here. Never
 * change a key: during an update, two releases run side by side.
 */
export const ADVISORY_LOCKS = {
  migrations: 4_116_820_611,
  partitions: 4_116_820_612,
  /** The first process creates an instance's initial data. */
  bootstrap: 4_116_820_613,
  firstAccount: 4_116_820_614,
  /** Held by the process that evaluates alerts. */
  alerts: 4_116_820_615,
  /** Held while the bundled catalog is stored. */
  catalogSeed: 4_116_820_617,
  assistants: 4_116_820_623,
  /** Held by the process that publishes audit entries, so they keep their order. */
  auditOutbox: 4_116_820_631,
  administrators: 4_116_820_632,
  robotsHosts: 4_116_820_633,
  /** Held by the process that publishes changes of visits, so they keep their order. */
  visitChanges: 4_116_820_634,
  countSums: 4_116_827,
} as const;

/** First key of the locks on shards of counts. The second key is the shard number. */
export const SHARD_LOCKS = 411_682;
