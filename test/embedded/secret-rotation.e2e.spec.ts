import { SecretBox } from '#libs/database';
import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { ExternalPostgres } from '../kit/external-postgres.js';
import { Instance } from '../kit/instance.js';

const [OLD, NEW] = [SecretBox.generateKey(), SecretBox.generateKey()];

interface Token {
  id: string;
  token: string;
}

it('reveals every token in processes that use the old and the new key with the same database', async () => {
  const postgres = await ExternalPostgres.start();
  const env = { ...CREDENTIALS_ENV, DATABASE_URL: postgres.url };
  // Follow docs/configuration.md: set both keys in all processes, then swap them in one process at a time.
  const before = await Instance.start({ env: { ...env, SECRET_KEY: OLD, SECRET_KEY_PREVIOUS: NEW } });
  const project = await new Client({ url: before.url, ...CREDENTIALS }).projectId();
  const tokenClient = ({ url }: Instance) => {
    const client = new Client({ url, ...CREDENTIALS });
    const path = `/projects/${project}/tokens`;
    return {
      create: () => client.api<Token>(path, { method: 'POST', body: { name: 'One' } }),
      reveal: async ({ id }: Token) => (await client.api<Token>(`${path}/${id}`)).token,
    };
  };
  const early = await tokenClient(before).create();
  const after = await Instance.start({ env: { ...env, SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD } });
  const createdTokens = [early, await tokenClient(before).create(), await tokenClient(after).create()];
  for (const instance of [before, after]) {
    for (const one of createdTokens) expect(await tokenClient(instance).reveal(one)).toBe(one.token);
  }
  await Promise.all([before.dispose(), after.dispose()]);
  await postgres.dispose();
});
