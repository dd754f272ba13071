import { createPublicKey, randomUUID, sign, verify, type JsonWebKey } from 'node:crypto';
import { TOKEN_PURPOSES } from '#libs/contracts';
import { SecretBox } from '#libs/database';
import type { DataSource } from 'typeorm';
import { readMigrationSettings } from '../../apps/cli/src/migration/env.js';
import { runReseal } from '../../apps/cli/src/migration/run-reseal.js';
import {
  SecondFactorsRepository,
  secondFactorPurpose,
} from '../../apps/console/src/accounts/second-factors.repository.js';
import { BootstrapRepository } from '../../apps/console/src/bootstrap.repository.js';
import { ChannelsRepository } from '../../apps/console/src/alerts/channels/channels.repository.js';
import { MailServerRepository } from '../../apps/console/src/alerts/channels/mail-server.repository.js';
import { PasswordHasher } from '../../apps/console/src/passwords/password-hasher.service.js';
import { TokensRepository } from '../../apps/console/src/projects/tokens.repository.js';
import { resealAll } from '../../apps/console/src/secret-rotation.repository.js';
import { TestAgentRepository } from '../../apps/console/src/onboarding/test-agent.repository.js';
import { StatementKeysRepository } from '../../apps/console/src/statements/statement-keys.repository.js';
import { startTestDatabase, type TestDatabase } from '../kit/database.js';

const [OLD, NEW] = [SecretBox.generateKey(), SecretBox.generateKey()];

let database: TestDatabase;
let projectId: string;
let tokens: Map<string, string>;
beforeEach(async () => {
  database = await startTestDatabase();
  await new BootstrapRepository(database.dataSource, new SecretBox(OLD), new PasswordHasher()).bootstrap({});
  [{ id: projectId }] = await database.dataSource.query(`SELECT id FROM projects`);
  tokens = new Map();
  for (let number = 1; number <= 7; number++) await create(new SecretBox(OLD));
});
afterEach(() => database.stop());

async function create(secrets: SecretBox): Promise<void> {
  const created = await new TokensRepository(database.dataSource, secrets).create(
    projectId,
    { name: 'One', expiresAt: null, networks: [], purposes: TOKEN_PURPOSES },
    null,
  );
  if (created === null || created === 'full') throw new Error('Failed to create a token');
  tokens.set(created.id, created.token);
}

/** Checks that a process with these keys can reveal every token, and sign as the test agent and statements. */
async function expectAllReadable(secrets: SecretBox): Promise<void> {
  const repository = new TokensRepository(database.dataSource, secrets);
  for (const [id, token] of tokens) expect((await repository.reveal(projectId, id))!.token).toBe(token);
  const { id, privateKey } = await new TestAgentRepository(database.dataSource, secrets).getNewestKey();
  const [row]: { public_key: JsonWebKey }[] = await database.dataSource.query(
    `SELECT public_key FROM test_agent_keys WHERE id = $1`,
    [id],
  );
  const publicKey = createPublicKey({ key: row!.public_key, format: 'jwk' });
  expect(verify(null, Buffer.from('text'), publicKey, sign(null, Buffer.from('text'), privateKey))).toBe(true);
  const statementKeys = new StatementKeysRepository(database.dataSource, secrets);
  expect((await statementKeys.getSigningKey()).id).toBe((await statementKeys.list())[0]!.kid);
}

/** Returns a data source that fails after `after` transactions. */
function createFailingDataSource(after: number): DataSource {
  let transactions = 0;
  return {
    transaction: (run: Parameters<DataSource['transaction']>[1]) =>
      ++transactions > after ? Promise.reject(new Error('gone')) : database.dataSource.transaction(run as never),
  } as unknown as DataSource;
}

it('allows old and new processes to read all secrets before, during, and after rotation', async () => {
  const [before, replaced, after] = [new SecretBox(OLD), new SecretBox(NEW, OLD), new SecretBox(NEW)];
  await expectAllReadable(before);
  await expectAllReadable(replaced);
  await create(replaced);
  await create(before);
  // From here on, all processes have both keys.
  const prepared = new SecretBox(OLD, NEW);
  await expectAllReadable(prepared);
  await expect(resealAll(createFailingDataSource(2), replaced, 3)).rejects.toThrow('gone');
  for (const secrets of [prepared, replaced]) await expectAllReadable(secrets);
  await expect(expectAllReadable(before)).rejects.toThrow();
  await expect(expectAllReadable(after)).rejects.toThrow();

  // There were 11 secrets encrypted with the old key: 9 tokens, the test agent's key and the statement key. By now, 6 of
  // them have been re-encrypted.
  expect(await resealAll(database.dataSource, replaced, 3)).toEqual({ resealed: 5, unreadable: 0 });
  for (const secrets of [prepared, replaced, after]) await expectAllReadable(secrets);
  expect(await resealAll(database.dataSource, replaced, 3)).toEqual({ resealed: 0, unreadable: 0 });
});

it('re-encrypts alert channel targets and signing secrets', async () => {
  const createRepository = (secrets: SecretBox) => new ChannelsRepository(database.dataSource, secrets);
  const hook = { kind: 'webhook', name: 'Hook' } as const;
  const { id } = (await createRepository(new SecretBox(OLD)).create(projectId, hook, {
    url: 'https://hooks.example/',
  })) as {
    id: string;
  };
  const former = await createRepository(new SecretBox(OLD)).reveal(projectId, id);
  const secret = await createRepository(new SecretBox(OLD)).rotate(projectId, id, Date.now());
  await resealAll(database.dataSource, new SecretBox(NEW, OLD));
  const [row] = await database.dataSource.query(`SELECT * FROM alert_channels`);
  const after = createRepository(new SecretBox(NEW));
  expect(after.openTarget(id, row)).toEqual({ url: 'https://hooks.example/' });
  expect(after.openSigningSecrets(id, row, Date.now())).toEqual([secret, former]);
});

it("re-encrypts the mail server's password", async () => {
  const createRepository = (secrets: SecretBox) => new MailServerRepository(database.dataSource, secrets);
  const server = { host: 'smtp.example.com', port: 587, security: 'starttls', from: 'alerts@example.com' } as const;
  const change = { ...server, user: 'ada', password: 'open sesame' };
  await createRepository(new SecretBox(OLD)).change(change, () => undefined);
  await resealAll(database.dataSource, new SecretBox(NEW, OLD));
  const after = createRepository(new SecretBox(NEW));
  expect(after.open((await after.find())!)).toEqual(change);
});

it('re-encrypts second-factor secrets', async () => {
  const [userId, id] = [randomUUID(), randomUUID()];
  const seal = (secrets: SecretBox) => secrets.seal('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', secondFactorPurpose(id));
  await database.dataSource.query(`INSERT INTO users (id, email, name) VALUES ($1, 'ada@example.com', 'Ada')`, [
    userId,
  ]);
  await database.dataSource.query(
    `INSERT INTO second_factors (id, user_id, secret, active_since) VALUES ($1, $2, $3, now())`,
    [id, userId, seal(new SecretBox(OLD))],
  );
  await resealAll(database.dataSource, new SecretBox(NEW, OLD));
  const factors = new SecondFactorsRepository(database.dataSource, new SecretBox(NEW), () => 59_000);
  // Test vector from RFC 6238, appendix B.
  expect(await factors.consumeCode(userId, '287082')).toBe(true);
});

it('reports secrets that neither key can decrypt and leaves them unchanged', async () => {
  const lines: string[] = [];
  await create(new SecretBox(SecretBox.generateKey()));
  const settings = readMigrationSettings({ DATABASE_URL: database.url, SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD });
  await runReseal(settings, (line) => lines.push(line));
  expect(lines.join('\n')).toMatch(/Secrets re-encrypted: 10\..*either key and were left unchanged: 1\./s);
  await expect(runReseal({ ...settings, SECRET_KEY_PREVIOUS: undefined }, () => undefined)).rejects.toThrow(
    'SECRET_KEY_PREVIOUS is not set',
  );
});
