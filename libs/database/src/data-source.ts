import type { Pool } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { vouchForActors } from './acting.js';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { AccessTokenEntity, InvitationEntity, MemberEntity, ProjectEntity } from './project.entity.js';
import { PasswordResetEntity, UserEntity } from './user.entity.js';
import { Foundation1763683200000 } from './migrations/1763683200000-foundation.js';
import { Connecting1763750000000 } from './migrations/1763750000000-connecting.js';
import { CatalogNames1763774000000 } from './migrations/1763774000000-catalog-names.js';
import { GenericPatterns1763775000000 } from './migrations/1763775000000-generic-patterns.js';
import { VisitForms1763776000000 } from './migrations/1763776000000-visit-forms.js';
import { VisitShards1763777000000 } from './migrations/1763777000000-visit-shards.js';
import { UnknownVisitors1763778000000 } from './migrations/1763778000000-unknown-visitors.js';
import { UnknownVisits1763779000000 } from './migrations/1763779000000-unknown-visits.js';
import { SavedFilters1763781000000 } from './migrations/1763781000000-saved-filters.js';
import { DemoData1763785000000 } from './migrations/1763785000000-demo-data.js';
import { SharedLinks1763786000000 } from './migrations/1763786000000-shared-links.js';
import { ChartNotes1763787000000 } from './migrations/1763787000000-chart-notes.js';
import { ReadOnlyKeys1763798000000 } from './migrations/1763798000000-read-only-keys.js';
import { Insights1763790000000 } from './migrations/1763790000000-insights.js';
import { RobotsVersions1763791000000 } from './migrations/1763791000000-robots-versions.js';
import { Assistants1763793000000 } from './migrations/1763793000000-assistants.js';
import { Checkouts1763796000000 } from './migrations/1763796000000-checkouts.js';
import { AgentFeeds1763795000000 } from './migrations/1763795000000-agent-feeds.js';
import { Unlisted1763794000000 } from './migrations/1763794000000-unlisted.js';
import { Reidentifications1763799000000 } from './migrations/1763799000000-reidentifications.js';
import { Drains1763800000000 } from './migrations/1763800000000-drains.js';
import { Alerts1763810000000 } from './migrations/1763810000000-alerts.js';
import { AlertChannels1763811000000 } from './migrations/1763811000000-alert-channels.js';
import { ApiKeyScopes1763812000000 } from './migrations/1763812000000-api-key-scopes.js';
import { WeeklyReports1763813000000 } from './migrations/1763813000000-weekly-reports.js';
import { ChannelsOfAlerts1763814000000 } from './migrations/1763814000000-channels-of-alerts.js';
import { LeftAddresses1763815000000 } from './migrations/1763815000000-left-addresses.js';
import { ToldEvents1763816000000 } from './migrations/1763816000000-told-events.js';
import { Catalogue1763720000000 } from './migrations/1763720000000-catalogue.js';
import { Reading1763740000000 } from './migrations/1763740000000-reading.js';
import { Accounts1763730000000 } from './migrations/1763730000000-accounts.js';
import { System1763760000000 } from './migrations/1763760000000-system.js';
import { UntrustedForwarders1763770000000 } from './migrations/1763770000000-untrusted-forwarders.js';
import { UnredactedHeaders1763772000000 } from './migrations/1763772000000-unredacted-headers.js';
import { Makers1763771000000 } from './migrations/1763771000000-makers.js';
import { LoginIssuers1763773000000 } from './migrations/1763773000000-login-issuers.js';
import { AuditLog1763803000000 } from './migrations/1763803000000-audit-log.js';
import { ConfirmedSessions1763804000000 } from './migrations/1763804000000-confirmed-sessions.js';
import { CredentialLimits1763805000000 } from './migrations/1763805000000-credential-limits.js';
import { SecondFactors1763820000000 } from './migrations/1763820000000-second-factors.js';
import { SessionOpenings1763821000000 } from './migrations/1763821000000-session-openings.js';
import { Passkeys1763822000000 } from './migrations/1763822000000-passkeys.js';
import { ReportedWeeks1763825000000 } from './migrations/1763825000000-reported-weeks.js';
import { UnansweredChannels1763826000000 } from './migrations/1763826000000-unanswered-channels.js';
import { WatchedAlerts1763830000000 } from './migrations/1763830000000-watched-alerts.js';
import { RulesOfEvents1763831000000 } from './migrations/1763831000000-rules-of-events.js';
import { SumsSoFar1763834000000 } from './migrations/1763834000000-sums-so-far.js';
import { HoursOfLists1763840000000 } from './migrations/1763840000000-hours-of-lists.js';
import { RestsOfLists1763841000000 } from './migrations/1763841000000-rests-of-lists.js';
import { TokenPurposes1763851000000 } from './migrations/1763851000000-token-purposes.js';
import { MailRecipients1763852000000 } from './migrations/1763852000000-mail-recipients.js';
import { ImportDays1763853000000 } from './migrations/1763853000000-import-days.js';
import { VisitChanges1763855000000 } from './migrations/1763855000000-visit-changes.js';
import { Outbox1763700000000 } from './migrations/1763700000000-outbox.js';

export interface DatabaseOptions {
  /** postgres://user:password@host:port/name */
  url: string;
  /** Maximum number of connections. */
  poolSize?: number;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
}

/** A statement that takes longer is given up, in milliseconds; the caller's own deadline is shorter. */
const STATEMENT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 3_000;

/** Returns the data source of a service. Call `initialize()` before use. It never synchronizes the schema: see `migrate`. */
export function createDataSource({
  url,
  poolSize = 10,
  applicationName = 'agent-traffic',
}: DatabaseOptions): DataSource {
  return new VouchedDataSource({
    type: 'postgres',
    url,
    poolSize,
    applicationName,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    entities: [
      ProjectEntity,
      AccessTokenEntity,
      MemberEntity,
      InvitationEntity,
      ApiKeyEntity,
      UserEntity,
      PasswordResetEntity,
    ],
    migrations: [
      Foundation1763683200000,
      Outbox1763700000000,
      Catalogue1763720000000,
      Accounts1763730000000,
      Reading1763740000000,
      Connecting1763750000000,
      System1763760000000,
      UntrustedForwarders1763770000000,
      Makers1763771000000,
      UnredactedHeaders1763772000000,
      LoginIssuers1763773000000,
      CatalogNames1763774000000,
      GenericPatterns1763775000000,
      VisitForms1763776000000,
      VisitShards1763777000000,
      UnknownVisitors1763778000000,
      UnknownVisits1763779000000,
      SavedFilters1763781000000,
      DemoData1763785000000,
      SharedLinks1763786000000,
      ChartNotes1763787000000,
      Insights1763790000000,
      ReadOnlyKeys1763798000000,
      RobotsVersions1763791000000,
      Assistants1763793000000,
      Checkouts1763796000000,
      AgentFeeds1763795000000,
      Unlisted1763794000000,
      Reidentifications1763799000000,
      Drains1763800000000,
      AuditLog1763803000000,
      ConfirmedSessions1763804000000,
      CredentialLimits1763805000000,
      Alerts1763810000000,
      AlertChannels1763811000000,
      ApiKeyScopes1763812000000,
      WeeklyReports1763813000000,
      ChannelsOfAlerts1763814000000,
      LeftAddresses1763815000000,
      ToldEvents1763816000000,
      SecondFactors1763820000000,
      SessionOpenings1763821000000,
      Passkeys1763822000000,
      ReportedWeeks1763825000000,
      UnansweredChannels1763826000000,
      WatchedAlerts1763830000000,
      RulesOfEvents1763831000000,
      SumsSoFar1763834000000,
      HoursOfLists1763840000000,
      RestsOfLists1763841000000,
      TokenPurposes1763851000000,
      MailRecipients1763852000000,
      ImportDays1763853000000,
      VisitChanges1763855000000,
    ],
    // Logs would contain statements with their parameters.
    logging: false,
    migrationsTransactionMode: 'each',
    extra: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      // A host may die without closing its connections: give up a query that is not answered.
      query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
      keepAlive: true,
      // Times are compared and grouped in UTC whatever the server's time zone. Compiling a statement takes longer than
      // running it: seconds for the one that stores visits. The audit log knows by the last what a service does of itself.
      options: `-c timezone=UTC -c jit=off -c agent_traffic.service=${applicationName.replaceAll(' ', '\\ ')}`,
    },
  });
}

/** Its connections say who acts, for the audit log. */
class VouchedDataSource extends DataSource {
  override async initialize(): Promise<this> {
    await super.initialize();
    vouchForActors(connectionPool(this));
    return this;
  }
}

/** Returns the connection pool of a data source, for a library that uses PostgreSQL directly. */
export const connectionPool = (dataSource: DataSource): Pool =>
  (dataSource.driver as unknown as { master: Pool }).master;

/** Returns another data source of the same database whose statements may take as long as they need. */
export function patient({ options }: DataSource): DataSource {
  const extra = { ...options.extra, statement_timeout: 0, query_timeout: 0 };
  return new DataSource({ ...options, poolSize: 2, extra } as DataSourceOptions);
}

/**
 * Brings the schema up to date. Several processes may call it at the same time. Indexing many visits takes minutes, and
 * so does waiting for another process that does it, so statements have no timeout.
 *
 * @throws NewerDatabaseError
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const migrating = await patient(dataSource).initialize();
  try {
    const runner = migrating.createQueryRunner();
    await runner.connect();
    await runner.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migrations]);
    try {
      await refuseNewer(migrating);
      const done = await migrating.runMigrations();
      return done.map((migration) => migration.name);
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.migrations]);
      await runner.release();
    }
  } finally {
    await migrating.destroy();
  }
}

/** A newer release has changed the database: this one cannot use it, however often it is tried. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/** An older release would read and write what a newer one stores in another way. */
async function refuseNewer(dataSource: DataSource): Promise<void> {
  const known = new Set(namesOf(dataSource));
  const unknown = (await appliedMigrations(dataSource)).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new NewerDatabaseError(
    `A newer release of Agent Traffic has changed this database (${unknown.join(', ')}). Run that release or a later one, or restore a backup from before the update.`,
  );
}

/** Returns the names of migrations that the database lacks. */
export async function pendingMigrations(dataSource: DataSource): Promise<string[]> {
  const applied = new Set(await appliedMigrations(dataSource));
  return namesOf(dataSource).filter((name) => !applied.has(name));
}

async function appliedMigrations(dataSource: DataSource): Promise<string[]> {
  const [{ exists }] = await dataSource.query(`SELECT to_regclass('migrations') IS NOT NULL AS exists`);
  const rows: { name: string }[] = exists ? await dataSource.query('SELECT name FROM migrations ORDER BY id') : [];
  return rows.map(({ name }) => name);
}

const namesOf = ({ migrations }: DataSource): string[] => migrations.map(({ name }) => name ?? '');
