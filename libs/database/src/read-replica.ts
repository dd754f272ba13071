import { errorMessage, type Health, type Logger, PeriodicTask } from '#libs/platform';
import pTimeout from 'p-timeout';
import { Gauge } from 'prom-client';
import type { DataSource } from 'typeorm';

/** A position in the primary's write-ahead log, and the time at which it was read (`performance.now()`). */
interface WalSample {
  takenAt: number;
  position: number;
}

const SAMPLE_INTERVAL_MS = 1_000;
const MAX_SAMPLES = 3_600;
const SAMPLE_TIMEOUT_MS = 2_000;
const NEVER_CAUGHT_UP: WalSample = { takenAt: -Infinity, position: 0 };

const lagGauge = new Gauge({
  name: 'agent_traffic_read_replica_lag_seconds',
  help: "Maximum age of the read replica's data, or +Inf if the replica hasn't caught up since this process started",
});
/**
 * A streaming replica. Its lag is measured once per second by comparing both servers' write-ahead log positions, because
 * a replica that has lost its connection to the primary can't determine its own lag.
 */
export class ReadReplica {
  /** Samples, oldest first. The replica has replayed the log up to the first one, but not up to the second. */
  private samples: WalSample[] = [NEVER_CAUGHT_UP];
  private fault: string | null = 'is not connected yet';
  private failure = new AbortController();
  private wasInUse = false;
  private readonly task = new PeriodicTask(
    () => this.sample(),
    SAMPLE_INTERVAL_MS,
    (error) => this.logger.warn({ err: error }, 'failed to check the read replica; will try again'),
  );

  /**
   * @param dataSource Connections for reads.
   * @param checked Connections to both servers that reads don't use, so busy reads can't delay the checks.
   * @param maxLagSeconds Maximum age of the data that reads may return.
   */
  constructor(
    readonly dataSource: DataSource,
    private readonly checked: { replica: DataSource; primary: DataSource },
    private readonly maxLagSeconds: number,
    private readonly logger: Logger,
  ) {}

  start(health: Health): void {
    const check = (): string | null => this.problem && `reads use the primary, because the replica ${this.problem}`;
    health.register('replica', check, { critical: false });
    this.task.start();
  }

  async stop(): Promise<void> {
    await this.task.stop();
    for (const one of [this.dataSource, ...Object.values(this.checked)]) if (one.isInitialized) await one.destroy();
  }

  /** Reason why the replica can't be used, phrased as the end of a sentence. Null if it can be used. */
  get problem(): string | null {
    if (this.fault !== null) return this.fault;
    const { lagSeconds } = this;
    if (lagSeconds <= this.maxLagSeconds) return null;
    if (lagSeconds === Infinity) return 'has not caught up with the primary yet';
    return `is ${lagSeconds.toFixed(0)} s behind the primary, which exceeds DATABASE_READ_MAX_LAG_SECONDS`;
  }

  /** Signal that is aborted when the replica next fails. */
  get failureSignal(): AbortSignal {
    return this.failure.signal;
  }

  /** Upper bound on the age of the replica's data. Infinity if the replica has never caught up. */
  private get lagSeconds(): number {
    return (performance.now() - this.samples[0]!.takenAt) / 1_000;
  }

  private async sample(): Promise<void> {
    await this.compare();
    if (this.fault !== null) {
      this.failure.abort(new Error(this.fault));
      this.failure = new AbortController();
    }
    this.report();
  }

  private async compare(): Promise<void> {
    let replica: ServerState;
    try {
      replica = await withTimeout(this.readReplica());
    } catch (error) {
      this.fault = `is unavailable: ${errorMessage(error)}`;
      return;
    }
    const takenAt = performance.now();
    // While the primary is unavailable, the measured lag grows until the replica is no longer used.
    const primary = await withTimeout(readServer(this.checked.primary)).catch(() => null);
    if (primary === null) return;
    this.fault = findMismatch(replica, primary);
    // After a failover, the new primary's log can end before the old one's.
    if (primary.position < this.samples.at(-1)!.position) this.samples = [NEVER_CAUGHT_UP];
    this.samples.push({ takenAt, position: primary.position });
    const lastReplayed = this.samples.findLastIndex(({ position }) => position <= replica.position);
    if (lastReplayed > 0) this.samples = this.samples.slice(lastReplayed);
    // Without the second sample, the lag is overestimated until the replica reaches the third.
    if (this.samples.length > MAX_SAMPLES) this.samples.splice(1, 1);
  }

  private async readReplica(): Promise<ServerState> {
    await initialize(this.dataSource);
    return readServer(this.checked.replica);
  }

  private report(): void {
    const { problem } = this;
    const isInUse = problem === null;
    lagGauge.set(this.lagSeconds);
    if (isInUse === this.wasInUse) return;
    this.wasInUse = isInUse;
    if (isInUse) this.logger.info('reads use the replica');
    else this.logger.warn(`reads use the primary, because the replica ${problem}`);
  }
}

interface ServerState {
  /** Identifier that a primary and its replicas share. */
  system: string;
  isReplica: boolean;
  /** Write-ahead log position in bytes, up to which a primary has written or a replica has replayed. */
  position: number;
}

const initializations = new WeakMap<DataSource, Promise<DataSource>>();

/** Initializes a data source. An attempt that timed out continues, so it must not be started again. */
async function initialize(dataSource: DataSource): Promise<void> {
  if (dataSource.isInitialized) return;
  const attempt = initializations.get(dataSource) ?? dataSource.initialize();
  initializations.set(dataSource, attempt);
  await attempt.finally(() => initializations.delete(dataSource));
}

const withTimeout = <T>(work: Promise<T>): Promise<T> =>
  pTimeout(work, { milliseconds: SAMPLE_TIMEOUT_MS, message: `no response within ${SAMPLE_TIMEOUT_MS} ms` });

function findMismatch(replica: ServerState, primary: ServerState): string | null {
  if (replica.system !== primary.system) return 'belongs to a different database cluster than DATABASE_URL';
  if (!replica.isReplica) return 'is not a streaming replica';
  return replica.position > primary.position ? 'contains changes that the primary lacks' : null;
}

async function readServer(dataSource: DataSource): Promise<ServerState> {
  await initialize(dataSource);
  const [state]: ServerState[] = await dataSource.query(
    `SELECT system_identifier::text AS system, pg_is_in_recovery() AS "isReplica",
       (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END - '0/0')::float8
         AS position
     FROM pg_control_system()`,
  );
  return state!;
}
