import { createDataSource, pendingMigrations } from '#libs/database';
import { sqlState } from '#libs/platform';
import { fault, ok, reasonOf, warning, type Finding } from './finding.js';
import { checkLists, type ListReport } from './lists.check.js';
import { checkProxies, type ForwardersReport } from './proxies.check.js';
import { checkServices, type ServiceReport } from './services.check.js';

type Database = ReturnType<typeof createDataSource>;

const OLDEST_VERSION = 150_000;
/**
 * Maximum clock difference. Visit IDs contain the gateway's time, so with a larger one visits could be dated in the
 * future.
 */
const MAX_SECONDS_APART = 5;
const ABSENT = 'Start PostgreSQL, or set DATABASE_URL to where it is.';
const REFUSED = 'Check the user, the password and the database name in DATABASE_URL, and DATABASE_PASSWORD.';
/** Advice by SQLSTATE. Any other SQLSTATE gets `REFUSED`. */
const REMEDIES: Record<string, string> = {
  '53100': 'Make room on the disk of PostgreSQL.',
  '53300': 'Raise max_connections, or end what holds connections.',
  '57P03': 'Wait until it has started: its log says how far it is.',
};
/** Share of `max_connections` in use above which to warn. */
const MANY_CONNECTIONS = 0.8;

interface DatabaseExpectations {
  url: string;
  /** True if each service runs in its own process. */
  isDistributed: boolean;
}

/**
 * Checks that the database is reachable, recent enough, migrated, and in sync with the local clock, and that it has
 * spare connections. Then checks the services and address lists that report to it.
 */
export async function checkDatabase({ url, isDistributed }: DatabaseExpectations): Promise<Finding[]> {
  const database = createDataSource({ url, poolSize: 1, applicationName: 'doctor' });
  try {
    await database.initialize();
  } catch (error) {
    const state = sqlState(error);
    const detail = `${hostOf(url)} ${state === null ? 'does not answer' : 'refuses'}: ${reasonOf(error)}`;
    return [fault('database', detail, state === null ? ABSENT : (REMEDIES[state] ?? REFUSED))];
  }
  try {
    const findings = [await checkServer(database, url), await checkMigrations(database), await checkClock(database)];
    // The queries below may need columns that a pending migration adds.
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
  const detail = `PostgreSQL ${version} at ${hostOf(url)}, ${used} of ${most} connections in use`;
  if (number < OLDEST_VERSION) return fault('database', detail, 'Use PostgreSQL 15 or later.');
  if (used > most * MANY_CONNECTIONS) {
    return warning(
      'database',
      detail,
      'Raise max_connections: each replica of a service takes up to 10, the console 8 more.',
    );
  }
  return ok('database', detail);
}

async function checkMigrations(database: Database): Promise<Finding> {
  const pending = await pendingMigrations(database);
  if (pending.length === 0) return ok('migrations', `all ${database.migrations.length} are there`);
  return fault('migrations', `missing: ${pending.join(', ')}`, 'Run: agent-traffic migrate');
}

async function checkClock(database: Database): Promise<Finding> {
  const before = Date.now();
  const [{ now }]: [{ now: number }] = await database.query(
    `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now`,
  );
  const apart = Math.abs(now - (before + Date.now()) / 2) / 1_000;
  const detail = `${apart.toFixed(1)} s from the database's`;
  if (apart <= MAX_SECONDS_APART) return ok('clock', detail);
  return fault('clock', detail, 'Let both machines keep their time by NTP.');
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host || 'a local socket' : 'DATABASE_URL';
}
