import { createDataSource, pendingMigrations } from '#libs/database';
import { getSqlState } from '#libs/platform';
import { fault, ok, getErrorReason, warning, type Finding } from './finding.js';
import { checkLists, type ListReport } from './address-lists.check.js';
import { checkProxies, type ForwardersReport } from './proxies.check.js';
import { checkServices, type ServiceReport } from './services.check.js';

type Database = ReturnType<typeof createDataSource>;

const MIN_SERVER_VERSION = 150_000;
/** Visit IDs contain the gateway's time, so a larger clock difference could date visits in the future. */
const MAX_CLOCK_DIFFERENCE_SECONDS = 5;
const UNREACHABLE_ADVICE = 'Start PostgreSQL, or correct DATABASE_URL.';
const REJECTED_ADVICE = 'Check the user, password and database name in DATABASE_URL, and DATABASE_PASSWORD.';
const ADVICE_BY_SQLSTATE: Record<string, string> = {
  '53100': 'Free up disk space on the PostgreSQL server.',
  '53300': 'Increase max_connections, or close unused connections.',
  '57P03': 'Wait until PostgreSQL has started. Its log shows the progress.',
};
/** Fraction of `max_connections` in use above which to warn. */
const MAX_CONNECTION_USAGE = 0.8;

interface DatabaseExpectations {
  url: string;
  /** True if each service runs in a separate process. */
  isDistributed: boolean;
}

/**
 * Checks that the database is reachable, recent enough and migrated, that its clock matches the local clock, and that it
 * has spare connections. Then checks the services and address lists whose status is stored in it.
 */
export async function checkDatabase({ url, isDistributed }: DatabaseExpectations): Promise<Finding[]> {
  const database = createDataSource({ url, poolSize: 1, applicationName: 'doctor' });
  try {
    await database.initialize();
  } catch (error) {
    const state = getSqlState(error);
    const detail = `${getHost(url)} ${state === null ? 'does not accept' : 'rejected'} the connection: ${getErrorReason(error)}`;
    return [
      fault('database', detail, state === null ? UNREACHABLE_ADVICE : (ADVICE_BY_SQLSTATE[state] ?? REJECTED_ADVICE)),
    ];
  }
  try {
    const findings = [await checkServer(database, url), await checkMigrations(database), await checkClock(database)];
    // If a migration is pending, the queries below may fail because they need columns that it adds.
    if (findings.some(({ status }) => status === 'fault')) return findings;
    const [reports, lists] = [await readReports(database), await readLists(database)];
    const services = isDistributed ? checkServices(reports) : [];
    return [...findings, ...services, ...checkProxies(reports), ...checkLists(lists)];
  } finally {
    await database.destroy();
  }
}

const readReports = (database: Database): Promise<(ForwardersReport & ServiceReport)[]> =>
  database.query(
    `SELECT service, status, checks, untrusted_forwarders, extract(epoch FROM now() - reported_at)::float8 AS age
     FROM service_instances WHERE reported_at > now() - interval '1 hour'`,
  );

const readLists = (database: Database): Promise<ListReport[]> =>
  database.query(`SELECT fault, fetched_at FROM address_lists ORDER BY url`);

async function checkServer(database: Database, url: string): Promise<Finding> {
  const [server]: { version: string; number: number; most: number; used: number }[] = await database.query(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
       current_setting('max_connections')::int AS most, (SELECT count(*)::int FROM pg_stat_activity) AS used`,
  );
  const { version, number, most, used } = server!;
  const detail = `PostgreSQL ${version} at ${getHost(url)}, ${used} of ${most} connections in use`;
  if (number < MIN_SERVER_VERSION) return fault('database', detail, 'Use PostgreSQL 15 or later.');
  if (used > most * MAX_CONNECTION_USAGE) {
    return warning(
      'database',
      detail,
      'Increase max_connections. Each service replica uses up to 10 connections, and the console uses 8 more.',
    );
  }
  return ok('database', detail);
}

async function checkMigrations(database: Database): Promise<Finding> {
  const pending = await pendingMigrations(database);
  if (pending.length === 0) return ok('migrations', `all ${database.migrations.length} applied`);
  return fault('migrations', `missing: ${pending.join(', ')}`, 'Run: agent-traffic migrate');
}

async function checkClock(database: Database): Promise<Finding> {
  const before = Date.now();
  const [{ now }]: [{ now: number }] = await database.query(
    `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now`,
  );
  const differenceSeconds = Math.abs(now - (before + Date.now()) / 2) / 1_000;
  const detail = `${differenceSeconds.toFixed(1)} s difference from the database's clock`;
  if (differenceSeconds <= MAX_CLOCK_DIFFERENCE_SECONDS) return ok('clock', detail);
  return fault('clock', detail, 'Synchronize the clocks of both machines with NTP.');
}

function getHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host || 'a local socket' : 'DATABASE_URL';
}
