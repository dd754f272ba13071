import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signWebBotAuthRequest, type Jwk } from '#libs/agents';
import type { AuditEntry, PublicIdentification } from '#libs/contracts';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { Deployment } from '../kit/deployment.js';
import { temporaryFolder, until } from '../kit/instance.js';

const CLI = join(import.meta.dirname, '../../apps/cli/bin/agent-traffic.mjs');
/** Time in milliseconds within which every process must apply a change. */
const PROPAGATION_TIMEOUT_MS = 15_000;

let deployment: Deployment;
let secret: string;
let folder: string;
let visits = 0;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');

beforeAll(async () => {
  // Provides ChatGPT's key directory as a file, so requests can be signed with a test key.
  folder = await temporaryFolder();
  const directories = { 'https://chatgpt.com': { keys: [publicKey.export({ format: 'jwk' }) as Jwk] } };
  const file = join(folder, 'directories.json');
  await writeFile(file, JSON.stringify(directories));
  deployment = await Deployment.start({
    scale: { enrichment: 2, catalog: 2 },
    env: { KEY_DIRECTORIES_FILE: file, KAFKA_TOPIC_PARTITIONS: '12' },
  });
  secret = await deployment.stack.secret('internal-api-secret');
}, 120_000);
afterAll(async () => {
  await deployment?.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function cli(...args: string[]): Promise<string> {
  const { url, consoleUrl, apiKey } = deployment.client.target;
  const env = { PATH: process.env['PATH'], AGENT_TRAFFIC_URL: consoleUrl ?? url, AGENT_TRAFFIC_API_KEY: apiKey };
  return (await promisify(execFile)(process.execPath, [CLI, ...args], { env })).stdout;
}

const createHeaders = (userAgent: string) => ({ 'user-agent': userAgent, 'x-forwarded-for': '198.51.100.7' });

async function queryGateway(headers: Record<string, string>): Promise<PublicIdentification> {
  const answer = await deployment.client.post('/agent-identifications', { request_headers: headers });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as PublicIdentification;
}

/** Queries each catalog replica directly and returns the agent tokens. */
async function queryCatalogs(headers: Record<string, string>): Promise<string[]> {
  const body = { items: [{ headers, method: null, path: null }], site: { trustedProxies: {}, hostNames: [] } };
  return Promise.all(
    deployment.stack.service('catalog').map(async ({ port }) => {
      const answer = await fetch(`http://127.0.0.1:${port}/internal/identifications`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const [result] = (await answer.json()) as PublicIdentification[];
      return result!.agent_token ?? 'unknown';
    }),
  );
}

/** Posts enough visits to reach both enrichment processes and returns the distinct stored agent tokens. */
async function enrichVisits(headers: Record<string, string>): Promise<string[]> {
  const path = `/catalog/${(visits += 1)}`;
  const posts = Array.from({ length: 24 }, () =>
    deployment.client.post('/visits', { request_path: path, request_method: 'GET', request_headers: headers }),
  );
  for (const { status } of await Promise.all(posts)) expect(status).toBe(204);
  const stored = await until(
    async () => {
      const found = await deployment.client.visits({ path });
      return found.length === posts.length && found;
    },
    { condition: 'the visits are stored', explain: () => deployment.logs() },
  );
  return [...new Set(stored.map(({ identification }) => identification.agent_token ?? 'unknown'))];
}

/**
 * Waits until every process identifies the User-Agent as `token`.
 *
 * @returns the elapsed time in milliseconds
 */
async function waitUntilIdentified(userAgent: string, token: string, within: number): Promise<number> {
  const headers = createHeaders(userAgent);
  const started = performance.now();
  let elapsedMs = 0;
  await until(
    async () => {
      const answers = [(await queryGateway(headers)).agent_token ?? 'unknown', ...(await queryCatalogs(headers))];
      const settled = performance.now() - started;
      // The measurement excludes the time to post and store visits.
      const isKnown = answers.every((answer) => answer === token);
      if (!isKnown) return false;
      const isEnriched = (await enrichVisits(headers)).join() === token;
      elapsedMs = settled;
      return isEnriched;
    },
    { condition: `every process returns ${token}`, timeoutMs: within + 5_000, explain: () => deployment.logs() },
  );
  expect(elapsedMs).toBeLessThan(within);
  return elapsedMs;
}

const addAgent = (token: string) =>
  cli('agents', 'add', '--token', token, '--type', 'Fetcher', '--pattern', token, '--sample', `${token}/1.0`);

it('applies agent changes in every process within the time limit', async () => {
  await waitUntilIdentified('Zyxcrawler/1.0', 'unknown', PROPAGATION_TIMEOUT_MS);
  await addAgent('Zyxcrawler');
  await waitUntilIdentified('Zyxcrawler/1.0', 'Zyxcrawler', PROPAGATION_TIMEOUT_MS);
  const before = await queryGateway(createHeaders('Zyxcrawler/1.0'));
  expect(before).toMatchObject({ result: 'not_verifiable' });
  await cli('agents', 'edit', 'Zyxcrawler', '--ip-range', '198.51.100.0/24', '--operator', 'Zyx');
  await until(async () => (await queryGateway(createHeaders('Zyxcrawler/1.0'))).result === 'verified', {
    condition: 'the new range is in use',
    timeoutMs: PROPAGATION_TIMEOUT_MS,
  });
  // The audit entry must contain the user who made the request, even across services.
  const [entry] = JSON.parse(await cli('audit', '--subject', 'agent', '--json')) as AuditEntry[];
  expect(entry).toMatchObject({
    operation: 'changeAgent',
    actor: { type: 'api_key', via: 'command_line' },
    subject: { name: 'Zyxcrawler' },
    after: { own: { operator: 'Zyx' } },
  });
  await cli('agents', 'remove', 'Zyxcrawler');
  await waitUntilIdentified('Zyxcrawler/1.0', 'unknown', PROPAGATION_TIMEOUT_MS);
});

it('keeps working without Redis and applies changes once Redis is back', async () => {
  await addAgent('Firstcrawler');
  await waitUntilIdentified('Firstcrawler/1.0', 'Firstcrawler', PROPAGATION_TIMEOUT_MS);
  const redis = deployment.process('redis');
  await redis.stop();
  expect((await queryGateway(createHeaders('Firstcrawler/1.0'))).agent_token).toBe('Firstcrawler');
  expect(await enrichVisits(createHeaders('Firstcrawler/1.0'))).toEqual(['Firstcrawler']);
  // Catalog replicas get changes from the database. Without Redis, enrichment uses the last version it received.
  await addAgent('Secondcrawler');
  await until(
    async () => (await queryCatalogs(createHeaders('Secondcrawler/1.0'))).every((token) => token === 'Secondcrawler'),
    { condition: 'all catalogs include the new agent', timeoutMs: PROPAGATION_TIMEOUT_MS + 3_000 },
  );
  expect(await enrichVisits(createHeaders('Firstcrawler/1.0'))).toEqual(['Firstcrawler']);
  await redis.start();
  await until(async () => (await enrichVisits(createHeaders('Secondcrawler/1.0'))).join() === 'Secondcrawler', {
    condition: 'enrichment uses the latest catalog again',
    explain: () => deployment.logs(),
  });
}, 120_000);

it('verifies requests signed with a pinned key in every service', async () => {
  const signature = signWebBotAuthRequest({
    url: 'https://shop.example/',
    method: 'GET',
    key: createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })),
    signatureAgent: 'https://chatgpt.com',
    now: Date.now(),
    lifetimeSeconds: 120,
  });
  const headers = { host: 'shop.example', ...signature };
  const visit = { request_path: '/', request_headers: headers };
  const answer = await deployment.client.post('/agent-verifications', visit);
  expect(await answer.json()).toMatchObject({ result: 'verified', agent_token: 'ChatGPT Agent' });
  expect(await enrichVisits(headers)).toEqual(['ChatGPT Agent']);
});

it('starts and identifies agents without the database, but rejects changes', async () => {
  const postgres = deployment.process('postgres');
  await postgres.stop();
  expect((await queryGateway(createHeaders('GPTBot/1.2'))).agent_token).toBe('GPTBot');
  await expect(addAgent('Lostcrawler')).rejects.toThrow('temporarily unavailable');
  const catalog = deployment.process('catalog');
  await catalog.stop();
  await catalog.start();
  // The restarted catalog loads the version last published to Redis.
  expect((await queryGateway(createHeaders('Firstcrawler/1.0'))).agent_token).toBe('Firstcrawler');
  const ready = await fetch(`http://127.0.0.1:${catalog.port}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'degraded' }]);
  await postgres.start();
  const isAdded = () =>
    addAgent('Foundcrawler').then(
      () => true,
      () => false,
    );
  await until(isAdded, { condition: 'agents can be added again' });
  await waitUntilIdentified('Foundcrawler/1.0', 'Foundcrawler', PROPAGATION_TIMEOUT_MS);
});

it('returns 503 or 504 while the catalog is down, and still records visits', async () => {
  const catalogs = deployment.stack.service('catalog');
  for (const catalog of catalogs) await catalog.freeze();
  const late = await deployment.client.post('/agent-identifications', { request_headers: createHeaders('GPTBot/1.2') });
  expect(late.status).toBe(504);
  for (const catalog of catalogs) catalog.thaw();
  await Promise.all(catalogs.map((catalog) => catalog.stop()));
  const away = await deployment.client.post('/agent-verifications', {
    request_path: '/',
    request_headers: createHeaders('GPTBot/1.2'),
  });
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '1']);
  expect(JSON.stringify(await away.json())).not.toMatch(/catalog/i);
  expect(await enrichVisits(createHeaders('GPTBot/1.2'))).toEqual(['GPTBot']);
  await Promise.all(catalogs.map((catalog) => catalog.start()));
  await until(
    async () => (await queryGateway(createHeaders('GPTBot/1.2')).catch(() => null))?.agent_token === 'GPTBot',
    {
      condition: 'the gateway identifies agents again',
    },
  );
});
