import 'reflect-metadata';
import { chmod, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createAccessRules,
  KAFKA_ACCESS,
  kafkaOptions,
  makeTopics,
  NoAuthorizerError,
  type KafkaOptions,
} from '#libs/bus';
import { createDataSource, databaseUrl, migrate, NewerDatabaseError, SecretBox } from '#libs/database';
import { createLogger, sqlState } from '#libs/platform';
import { BootstrapRepository } from '../../../console/src/bootstrap.repository.js';
import { PasswordHasher } from '../../../console/src/passwords/password-hasher.service.js';
import { firstVisit, setupNotice } from '../../../standalone/src/banner.js';
import { CliError, EXIT } from '../cli-error.js';
import { reasonOf } from '../doctor/finding.js';
import type { MigrationSettings } from './env.js';

type Database = ReturnType<typeof createDataSource>;

const TIMEOUT_MS = 60_000;
const ATTEMPT_INTERVAL_MS = 500;
/** Interval at which a waiting message is repeated. */
const REMINDER_INTERVAL_MS = 5_000;

/** SQLSTATEs for which retrying is pointless: wrong user, password or database name. */
const FINAL = new Set(['28000', '28P01', '3D000']);

interface MigrationOptions {
  /** File for a newly created API key. */
  apiKeyFile?: string | undefined;
  /** `DATA_DIR` of the embedded-database instance to copy data from. */
  fromEmbedded?: string | undefined;
  tell: (line: string) => void;
  /** Prints text that the operator must keep, such as credentials. */
  print: (text: string) => void;
  timeoutMs?: number;
}

/** Prepares the schema, the Kafka topics, the first project and the credentials of a deployment. Can be repeated. */
export async function runMigration(settings: MigrationSettings, options: MigrationOptions): Promise<void> {
  const { tell } = options;
  const url = databaseUrl(settings.DATABASE_URL, settings.DATABASE_PASSWORD);
  const secrets = new SecretBox(settings.SECRET_KEY, settings.SECRET_KEY_PREVIOUS);
  const kafka = kafkaOptions(settings);
  const database = await connect(url, options);
  try {
    const migrations = await migrateUnlessNewer(database);
    if (kafka !== null) await prepareTopics(kafka, settings.KAFKA_ACLS === 'create', tell);
    tell(migrations.length === 0 ? 'The schema is up to date.' : `Migrated the schema: ${migrations.join(', ')}.`);
    if (options.fromEmbedded !== undefined) {
      const { moveEmbedded } = await import('./move-embedded.js');
      await moveEmbedded(options.fromEmbedded, database, settings.SECRET_KEY, tell);
    }
    const bootstrapped = await new BootstrapRepository(database, secrets, new PasswordHasher()).bootstrap({
      projectAccessToken: settings.PROJECT_ACCESS_TOKEN,
      apiKey: settings.API_KEY,
      administrator: settings.administrator,
    });
    const { firstStart, accessToken, apiKey, setupCode, warnings } = bootstrapped;
    for (const warning of warnings) tell(warning);
    const newKey = apiKey === settings.API_KEY ? null : apiKey;
    const keyLocation = newKey === null ? null : await keep(newKey, options.apiKeyFile);
    if (firstStart && accessToken !== null) options.print(firstBanner(settings.PUBLIC_URL, accessToken));
    if (setupCode !== null) options.print(`${setupNotice(setupCode.code, settings.PUBLIC_URL)}\n`);
    if (keyLocation !== null) options.print(`  An API key with admin rights, made just now: ${keyLocation}\n\n`);
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

async function prepareTopics(kafka: KafkaOptions, createsAcls: boolean, tell: MigrationOptions['tell']): Promise<void> {
  const logger = createLogger({ service: 'migrate', level: 'silent', pretty: false });
  try {
    const differences = await makeTopics(kafka, logger);
    tell(['The topics are there.', ...differences].join('\n'));
  } catch (error) {
    throw new CliError(`The topics cannot be created: ${(error as Error).message}`, {
      hint: 'Check the brokers in KAFKA_BROKERS and the credentials for them.',
    });
  }
  if (!createsAcls) return;
  try {
    await createAccessRules(kafka, logger);
    tell(`The ACLs of ${Object.keys(KAFKA_ACCESS).join(', ')} are up to date.`);
  } catch (error) {
    throw new CliError(`The ACLs cannot be created: ${(error as Error).message}`, {
      hint:
        error instanceof NoAuthorizerError
          ? 'Set authorizer.class.name and super.users in the configuration of the brokers, or KAFKA_ACLS=skip.'
          : 'The user in KAFKA_SASL_USERNAME must be a super user, or have Alter on the cluster. KAFKA_ACLS=skip leaves ACLs to you.',
    });
  }
}

/**
 * Connects to the database, retrying for up to a minute by default.
 *
 * @throws CliError if the database rejects the connection or doesn't respond in time.
 */
export async function connect(
  url: string,
  { tell, timeoutMs = TIMEOUT_MS }: Pick<MigrationOptions, 'tell' | 'timeoutMs'>,
): Promise<Database> {
  const host = URL.canParse(url) ? new URL(url).host : 'DATABASE_URL';
  const started = Date.now();
  let told = { reason: '', at: 0 };
  for (;;) {
    try {
      return await createDataSource({ url, poolSize: 2, applicationName: 'migrate' }).initialize();
    } catch (error) {
      const reason = reasonOf(error);
      if (FINAL.has(sqlState(error) ?? '')) {
        throw new CliError(`The database at ${host} refuses: ${reason}`, {
          hint: 'Check the user, the password and the database name in DATABASE_URL, and DATABASE_PASSWORD.',
        });
      }
      if (Date.now() - started > timeoutMs) {
        throw new CliError(`No database at ${host} within ${timeoutMs / 1_000} s: ${reason}`, {
          hint: 'Start it, or set DATABASE_URL to where it is.',
        });
      }
      if (reason !== told.reason || Date.now() - told.at > REMINDER_INTERVAL_MS) {
        tell(`Waiting for the database at ${host} (${reason})`);
        told = { reason, at: Date.now() };
      }
      await sleep(ATTEMPT_INTERVAL_MS);
    }
  }
}

/**
 * Writes an API key to the file, if one is given. Returns the location of the key, or the key itself if it isn't in a
 * file.
 */
async function keep(key: string, file: string | undefined): Promise<string> {
  if (file === undefined) return `${key}  (it is shown this once)`;
  try {
    await writeFile(file, `${key}\n`, { mode: 0o600 });
    // `mode` doesn't apply to existing files.
    await chmod(file, 0o600);
    return `in ${file}`;
  } catch (error) {
    return `${key}  (it is shown this once, as it could not be written: ${(error as Error).message})`;
  }
}

const firstBanner = (url: string, accessToken: string): string => `
  Agent Traffic is set up. Once its services run, it is at ${url}   (interface: ${url}/docs)

  Your project's access token:

    ${accessToken}

  Send a first visit:

    ${firstVisit(url, accessToken)}

  Where Agent Traffic is installed (npm ci), with AGENT_TRAFFIC_URL=${url} and AGENT_TRAFFIC_API_KEY:

    Watch visits arrive:    ./agent-traffic visits tail
    Import an access log:   ./agent-traffic logs import /var/log/nginx/access.log

`;
