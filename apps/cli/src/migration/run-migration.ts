import 'reflect-metadata';
import { chmod, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createAcls,
  KAFKA_ACCESS,
  toKafkaOptions,
  createTopics,
  NoAuthorizerError,
  type KafkaOptions,
} from '#libs/bus';
import { createDataSource, databaseUrl, migrate, NewerDatabaseError, SecretBox } from '#libs/database';
import { createLogger, getSqlState } from '#libs/platform';
import { describeNewerVisits, discardNewerVisits, prepareVisitStore, type VisitStoreOptions } from '#libs/visit-store';
import { BootstrapRepository } from '../../../console/src/bootstrap.repository.js';
import { PasswordHasher } from '../../../console/src/passwords/password-hasher.service.js';
import { firstVisit, setupNotice } from '../../../standalone/src/banner.js';
import { CliError, EXIT } from '../cli-error.js';
import { getErrorReason } from '../doctor/finding.js';
import { plural } from '../terminal-text.js';
import type { MigrationSettings } from './env.js';

type Database = ReturnType<typeof createDataSource>;

const TIMEOUT_MS = 60_000;
const ATTEMPT_INTERVAL_MS = 500;
const REMINDER_INTERVAL_MS = 5_000;

/** SQLSTATEs after which a retry can't succeed: wrong user, password or database name. */
const FATAL_SQLSTATES = new Set(['28000', '28P01', '3D000']);

interface MigrationOptions {
  /** File for a generated API key. */
  apiKeyFile?: string | undefined;
  /** `DATA_DIR` of the instance with an embedded database to copy data from. */
  fromEmbedded?: string | undefined;
  /** Whether to delete visits that are newer than a restored backup of the database. */
  discardsNewerVisits?: boolean;
  tell: (line: string) => void;
  /** Prints text that the operator must save, such as credentials. */
  print: (text: string) => void;
  timeoutMs?: number;
}

/** Creates or updates a deployment's schema, Kafka topics, first project and credentials. Can be run repeatedly. */
export async function runMigration(settings: MigrationSettings, options: MigrationOptions): Promise<void> {
  const { tell } = options;
  const url = databaseUrl(settings.DATABASE_URL, settings.DATABASE_PASSWORD);
  const secrets = new SecretBox(settings.SECRET_KEY, settings.SECRET_KEY_PREVIOUS);
  const kafka = toKafkaOptions(settings);
  const database = await connect(url, options);
  try {
    const migrations = await migrateUnlessNewer(database);
    if (kafka !== null) await prepareTopics(kafka, settings.KAFKA_ACLS === 'create', tell);
    tell(migrations.length === 0 ? 'The schema is up to date.' : `Migrated the schema: ${migrations.join(', ')}.`);
    if (options.fromEmbedded !== undefined) {
      const { moveEmbedded } = await import('./move-embedded.js');
      await moveEmbedded(options.fromEmbedded, database, settings.SECRET_KEY, tell);
    }
    if (settings.visitStore !== null) await prepareVisits(database, settings.visitStore, options);
    const bootstrapped = await new BootstrapRepository(database, secrets, new PasswordHasher()).bootstrap({
      projectAccessToken: settings.PROJECT_ACCESS_TOKEN,
      apiKey: settings.API_KEY,
      administrator: settings.administrator,
    });
    const { firstStart, accessToken, apiKey, setupCode, warnings } = bootstrapped;
    for (const warning of warnings) tell(warning);
    const newKey = apiKey === settings.API_KEY ? null : apiKey;
    const keyLocation = newKey === null ? null : await saveApiKey(newKey, options.apiKeyFile);
    if (firstStart && accessToken !== null) options.print(renderBanner(settings.PUBLIC_URL, accessToken));
    if (setupCode !== null) options.print(`${setupNotice(setupCode.code, settings.PUBLIC_URL)}\n`);
    if (keyLocation !== null) options.print(`  New API key with admin rights: ${keyLocation}\n\n`);
  } finally {
    await database.destroy();
  }
}

async function migrateUnlessNewer(database: Database): Promise<string[]> {
  try {
    return await migrate(database);
  } catch (error) {
    if (!(error instanceof NewerDatabaseError)) throw error;
    throw new CliError(error.message, { exitCode: EXIT.newerDatabase });
  }
}

async function prepareVisits(
  database: Database,
  visitStore: VisitStoreOptions,
  { tell, discardsNewerVisits = false }: MigrationOptions,
): Promise<void> {
  const isReady = await prepareVisitStore(database, visitStore).catch((error: unknown) => {
    throw new CliError(`Can't create the tables for visits: ${(error as Error).message}`, {
      hint: 'Check CLICKHOUSE_URL, CLICKHOUSE_USER and CLICKHOUSE_PASSWORD.',
    });
  });
  tell(
    isReady
      ? 'The tables for visits are up to date.'
      : 'The tables for visits are up to date, but the visits are still in PostgreSQL. Move them with: agent-traffic migrate --to-clickhouse',
  );
  if (!isReady) return;
  if (discardsNewerVisits) {
    const visits = await discardNewerVisits(database, visitStore);
    tell(`Deleted ${plural(visits, 'visit')} that ${visits === 1 ? 'was' : 'were'} stored after the backup.`);
  } else {
    const newer = await describeNewerVisits(database, visitStore);
    if (newer !== null) tell(newer);
  }
}

async function prepareTopics(kafka: KafkaOptions, createsAcls: boolean, tell: MigrationOptions['tell']): Promise<void> {
  const logger = createLogger({ service: 'migrate', level: 'silent', pretty: false });
  try {
    const differences = await createTopics(kafka, logger);
    tell(['All topics exist.', ...differences].join('\n'));
  } catch (error) {
    throw new CliError(`Can't create the topics: ${(error as Error).message}`, {
      hint: 'Check KAFKA_BROKERS and the Kafka credentials.',
    });
  }
  if (!createsAcls) return;
  try {
    await createAcls(kafka, logger);
    tell(`The Kafka ACLs for ${Object.keys(KAFKA_ACCESS).join(', ')} are up to date.`);
  } catch (error) {
    throw new CliError(`Can't create the Kafka ACLs: ${(error as Error).message}`, {
      hint:
        error instanceof NoAuthorizerError
          ? 'Set authorizer.class.name and super.users in the broker configuration, or set KAFKA_ACLS=skip.'
          : 'The user in KAFKA_SASL_USERNAME must be a super user or have the Alter permission on the cluster. To manage ACLs yourself, set KAFKA_ACLS=skip.',
    });
  }
}

/**
 * Connects to the database. Retries for up to a minute by default.
 *
 * @throws {CliError} if the database rejects the connection or isn't available in time.
 */
export async function connect(
  url: string,
  { tell, timeoutMs = TIMEOUT_MS }: Pick<MigrationOptions, 'tell' | 'timeoutMs'>,
): Promise<Database> {
  const host = URL.canParse(url) ? new URL(url).host : 'DATABASE_URL';
  const started = Date.now();
  let lastNotice = { reason: '', at: 0 };
  for (;;) {
    try {
      return await createDataSource({ url, poolSize: 2, applicationName: 'migrate' }).initialize();
    } catch (error) {
      const reason = getErrorReason(error);
      if (FATAL_SQLSTATES.has(getSqlState(error) ?? '')) {
        throw new CliError(`The database at ${host} rejected the connection: ${reason}`, {
          hint: 'Check the user, password and database name in DATABASE_URL, and DATABASE_PASSWORD.',
        });
      }
      if (Date.now() - started > timeoutMs) {
        throw new CliError(`The database at ${host} was not available within ${timeoutMs / 1_000} s: ${reason}`, {
          hint: 'Start PostgreSQL, or correct DATABASE_URL.',
        });
      }
      if (reason !== lastNotice.reason || Date.now() - lastNotice.at > REMINDER_INTERVAL_MS) {
        tell(`Waiting for the database at ${host} (${reason})`);
        lastNotice = { reason, at: Date.now() };
      }
      await sleep(ATTEMPT_INTERVAL_MS);
    }
  }
}

/**
 * Writes an API key to the given file. Returns a phrase with the file name, or with the key itself if it couldn't be
 * written or no file is given.
 */
async function saveApiKey(key: string, file: string | undefined): Promise<string> {
  if (file === undefined) return `${key}  (shown only once)`;
  try {
    await writeFile(file, `${key}\n`, { mode: 0o600 });
    // If the file already existed, `mode` had no effect, so restrict its permissions now.
    await chmod(file, 0o600);
    return `saved to ${file}`;
  } catch (error) {
    return `${key}  (shown only once, because the file could not be written: ${(error as Error).message})`;
  }
}

const renderBanner = (url: string, accessToken: string): string => `
  Agent Traffic is set up. Once its services are running, open ${url}   (API reference: ${url}/docs)

  Your project's access token:

    ${accessToken}

  Send a first visit:

    ${firstVisit(url, accessToken)}

  Where Agent Traffic is installed (npm ci), set AGENT_TRAFFIC_URL=${url} and AGENT_TRAFFIC_API_KEY to:

    Watch visits arrive:    ./agent-traffic visits tail
    Import an access log:   ./agent-traffic logs import /var/log/nginx/access.log

`;
