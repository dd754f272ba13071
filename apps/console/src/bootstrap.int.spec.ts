import { API_KEY_SCOPES } from '#libs/contracts';
import { hashCredential, SecretBox } from '#libs/database';
import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import { ApiKeysRepository } from './access/api-keys.repository.js';
import { BootstrapRepository, type BootstrapOptions, type BootstrapResult } from './bootstrap.repository.js';
import { PasswordHasher } from './passwords/password-hasher.service.js';
import { TokensRepository } from './projects/tokens.repository.js';

const FIRST = 'value-one-of-the-environment';
const SECOND = 'value-two-of-the-environment';
const secrets = new SecretBox(SecretBox.generateKey());

let database: TestDatabase;
let keys: ApiKeysRepository;
beforeEach(async () => {
  database = await startTestDatabase();
  keys = new ApiKeysRepository(database.dataSource);
});
afterEach(() => database.stop());

const start = (options: BootstrapOptions): Promise<BootstrapResult> =>
  new BootstrapRepository(database.dataSource, secrets, new PasswordHasher()).bootstrap(options);

/** Returns the values from the environment that are still active. */
async function getActiveValues(table: 'api_keys' | 'access_tokens'): Promise<string[]> {
  const rows: { hash: Buffer }[] = await database.dataSource.query(
    `SELECT hash FROM ${table} WHERE revoked_at IS NULL AND from_environment`,
  );
  return [FIRST, SECOND].filter((value) => rows.some(({ hash }) => hash.equals(hashCredential(value))));
}

async function revoke(table: 'api_keys' | 'access_tokens', value: string): Promise<void> {
  const [row]: { id: string }[] = await database.dataSource.query(`SELECT id FROM ${table} WHERE hash = $1`, [
    hashCredential(value),
  ]);
  if (table === 'api_keys') {
    await keys.create({ name: 'Another', scopes: API_KEY_SCOPES, projectIds: null, expiresAt: null }, null);
    expect(await keys.revoke(row!.id)).toBe('revoked');
    return;
  }
  const [project]: { id: string }[] = await database.dataSource.query(`SELECT id FROM projects`);
  await new TokensRepository(database.dataSource, secrets).revoke(project!.id, row!.id);
}

describe.each([
  ['API_KEY', 'api_keys', 'apiKey'],
  ['PROJECT_ACCESS_TOKEN', 'access_tokens', 'projectAccessToken'],
] as const)('%s', (setting, table, option) => {
  it('activates the credential from the environment on every start, even if it was replaced in between', async () => {
    for (const value of [FIRST, FIRST, SECOND, FIRST]) {
      expect((await start({ [option]: value })).warnings).toEqual([]);
      expect(await getActiveValues(table)).toEqual([value]);
    }
  });

  it('leaves a revoked credential revoked even if the environment still sets it, and adds a warning', async () => {
    await start({ [option]: FIRST });
    await revoke(table, FIRST);
    for (let times = 0; times < 2; times += 1) {
      const { warnings } = await start({ [option]: FIRST });
      expect(warnings).toEqual([
        expect.stringMatching(
          new RegExp(`^The value of ${setting} was revoked on \\d{4}-\\d\\d-\\d\\d and stays .* Set another value`),
        ),
      ]);
      expect(await getActiveValues(table)).toEqual([]);
    }
    expect((await start({ [option]: SECOND })).warnings).toEqual([]);
    expect((await start({ [option]: FIRST })).warnings).toHaveLength(1);
    expect(await getActiveValues(table)).toEqual([]);
  });

  it('leaves a credential revoked if it was revoked after being replaced', async () => {
    await start({ [option]: FIRST });
    await start({ [option]: SECOND });
    await revoke(table, FIRST);
    expect((await start({ [option]: FIRST })).warnings).toHaveLength(1);
    expect(await getActiveValues(table)).toEqual([]);
  });
});

it('creates an admin key if the only one came from the environment and was revoked', async () => {
  await start({ apiKey: FIRST });
  await database.dataSource.query(`UPDATE api_keys SET revoked_at = now()`);
  const { apiKey } = await start({ apiKey: FIRST });
  expect(apiKey).toMatch(/^agk_/);
  expect((await start({ apiKey: FIRST })).apiKey).toBeNull();
});
