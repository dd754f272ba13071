/**
 * Keys of PostgreSQL's advisory locks, of which each database has one set. They are told apart here alone: two purposes with one
 * key would wait for each other. Those of a release stay as they are, because it runs beside the next one during an update.
 */
export const ADVISORY_LOCKS = {
  migrations: 4_116_820_611,
  partitions: 4_116_820_612,
  /** What an instance begins with is created once, by the first of its processes. */
  bootstrap: 4_116_820_613,
  firstAccount: 4_116_820_614,
  /** Held by the process that evaluates them. */
  alerts: 4_116_820_615,
  /** What came with a release goes into the catalog. */
  catalogSeed: 4_116_820_617,
  assistants: 4_116_820_623,
  /** Held by the process that passes entries on, so that they keep their order. */
  auditOutbox: 4_116_820_631,
  administrators: 4_116_820_632,
  robotsHosts: 4_116_820_633,
  /** Held by the process that publishes changes of visits, so they keep their order. */
  visitChanges: 4_116_820_634,
  countSums: 4_116_827,
} as const;

/** First key of the locks on shards of counts; the second is the shard's number. */
export const SHARD_LOCKS = 411_682;
