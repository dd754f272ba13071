import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashCredential, migrate, SecretBox } from '#libs/database';
import { createClickHouseDatabase, runStatement } from '../../../../test/kit/clickhouse.js';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { ExternalPostgres } from '../../../../test/kit/external-postgres.js';
import { temporaryFolder, until } from '../../../../test/kit/instance.js';
import { EXIT } from '../cli-error.js';
import { readMigrationSettings } from './env.js';
import { runMigration } from './run-migration.js';

const SECRET_KEY = SecretBox.generateKey();
const SETUP_CODE = /becomes the administrator:\n\n {4}http:\S+\/setup#(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}\n/;
const ACCESS_TOKEN = 'access-token-of-the-environment';

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await startTestDatabase();
  await database.dataSource.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  folder = await temporaryFolder();
});
afterEach(async () => {
  await database.stop();
  await rm(folder, { recursive: true });
});

/** Runs the migration and returns its standard output. */
async function run(
  env: Record<string, string>,
  apiKeyFile?: string,
  tell: string[] = [],
  timeoutMs = 600_000,
): Promise<string> {
  let printed = '';
  await runMigration(readMigrationSettings({ DATABASE_URL: database.url, SECRET_KEY, ...env }), {
    apiKeyFile,
    tell: (line) => void tell.push(line),
    print: (text) => void (printed += text),
    timeoutMs,
  });
  return printed;
}

const keyHashes = async (): Promise<Buffer[]> => {
  const rows: { hash: Buffer }[] = await database.dataSource.query('SELECT hash FROM api_keys WHERE admin');
  return rows.map(({ hash }) => hash);
};

it('uses credentials from the environment, and prints only the first access token and only once', async () => {
  const API_KEY = 'api-key-of-the-environment';
  const env = {
    PROJECT_ACCESS_TOKEN: ACCESS_TOKEN,
    API_KEY,
    PUBLIC_URL: 'https://visits.example',
    ADMIN_EMAIL: 'root@example.com',
    ADMIN_PASSWORD: 'password-of-the-environment',
  };
  const printed = await run(env);
  expect(printed).toContain(`curl -i https://visits.example/visits -H 'Authorization: Bearer ${ACCESS_TOKEN}'`);
  expect(printed).not.toContain(API_KEY);
  expect(printed).not.toContain('setup code');
  expect(await keyHashes()).toEqual([hashCredential(API_KEY)]);
  const logLines: string[] = [];
  expect(await run(env, undefined, logLines)).toBe('');
  expect(logLines).toEqual(['The schema is up to date.']);
  expect(await keyHashes()).toHaveLength(1);
});

it('reports and deletes visits that are newer than a restored database', async () => {
  const options = await createClickHouseDatabase();
  const settings = readMigrationSettings({
    DATABASE_URL: database.url,
    SECRET_KEY,
    CLICKHOUSE_URL: options.url,
    CLICKHOUSE_USER: options.user,
    CLICKHOUSE_PASSWORD: options.password,
    CLICKHOUSE_DATABASE: options.database,
  });
  const migrateAndRead = async (discardsNewerVisits: boolean): Promise<string> => {
    const lines: string[] = [];
    await runMigration(settings, {
      tell: (line) => void lines.push(line),
      print: () => undefined,
      discardsNewerVisits,
    });
    return lines.join('\n');
  };
  expect(await migrateAndRead(false)).not.toContain('newer visits');
  // A visit from the first batch, which PostgreSQL doesn't know.
  await runStatement(
    options,
    `INSERT INTO ${options.database}.visits (id, day, batch, shard, number) VALUES (generateUUIDv7(), today(), 1, 0, 16385)`,
  );
  expect(await migrateAndRead(false)).toContain('newer visits (1)');
  expect(await migrateAndRead(true)).toContain('Deleted 1 visit that was stored after the backup.');
  expect(await migrateAndRead(true)).toContain('Deleted 0 visits');
});

it('reports a revoked API_KEY and prints a replacement', async () => {
  const API_KEY = 'api-key-of-the-environment';
  await run({ API_KEY });
  await database.dataSource.query(`UPDATE api_keys SET revoked_at = now()`);
  const logLines: string[] = [];
  const printed = await run({ API_KEY }, undefined, logLines);
  expect(logLines).toContainEqual(expect.stringMatching(/^The value of API_KEY was revoked on .* Set another value/));
  expect(printed).toMatch(/agk_\w{38}/);
  expect(printed).not.toContain(API_KEY);
});

it('writes a generated API key to a file that only its owner can read', async () => {
  const file = join(folder, 'api-key');
  await writeFile(file, 'of another database', { mode: 0o644 });
  const printed = await run({}, file);
  expect(printed).toMatch(/Bearer agt_\w{38}'/);
  expect(printed).toMatch(SETUP_CODE);
  expect(printed).not.toContain('agk_');
  const key = (await readFile(file, 'utf8')).trim();
  expect(await keyHashes()).toEqual([hashCredential(key)]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await run({}, file)).toMatch(SETUP_CODE);
  expect((await readFile(file, 'utf8')).trim()).toBe(key);
});

it("prints a generated API key if the file can't be written", async () => {
  const printed = await run({}, join(folder, 'no-such-folder/api-key'));
  const [key] = /agk_\w{38}/.exec(printed)!;
  expect(await keyHashes()).toEqual([hashCredential(key)]);
});

it('waits for an unavailable database and omits the password from messages', async () => {
  const postgres = await ExternalPostgres.start();
  const url = postgres.url;
  await postgres.stop();
  const logLines: string[] = [];
  const running = run(
    { DATABASE_URL: url, DATABASE_PASSWORD: 'a-password-that-nobody-sees' },
    undefined,
    logLines,
    1_000,
  );
  const failed = running.catch((error: Error) => error);
  await until(() => logLines.length > 0, { condition: 'the unavailable database is logged' });
  expect(await failed).toMatchObject({
    message: expect.stringMatching(/^The database at 127.0.0.1:\d+ was not available within 1 s: /),
  });
  expect(logLines.join('\n')).toMatch(/Waiting for the database at 127.0.0.1:\d+ /);
  expect(logLines.join('\n')).not.toContain('a-password');
  const later = run({ DATABASE_URL: url, PROJECT_ACCESS_TOKEN: ACCESS_TOKEN });
  await postgres.resume();
  expect(await later).toContain(ACCESS_TOKEN);
  await postgres.dispose();
});

it('fails without waiting if the database does not exist', async () => {
  // Waiting would exceed the test's timeout.
  const url = new URL(database.url);
  url.pathname = '/no_such_test_database';
  await expect(run({ DATABASE_URL: url.href })).rejects.toThrow(
    /rejected the connection: database "no_such_test_database" does not/,
  );
});

it('fails with a dedicated exit code if the database is from a newer release', async () => {
  await migrate(database.dataSource);
  await database.dataSource.query(
    `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`,
  );
  await expect(run({})).rejects.toMatchObject({
    exitCode: EXIT.newerDatabase,
    message: expect.stringContaining('newer release'),
  });
});
