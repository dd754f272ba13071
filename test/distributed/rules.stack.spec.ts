import { Deployment } from '../kit/deployment.js';
import { until } from '../kit/instance.js';

/** Time in milliseconds within which every process must apply a change. */
const PROPAGATION_TIMEOUT_MS = 2_000;
const FETCHERS = { agent_types: ['Fetcher'] };

let deployment: Deployment;
let secret: string;
beforeAll(async () => {
  deployment = await Deployment.start({ scale: { rules: 2 } });
  secret = await deployment.stack.secret('internal-api-secret');
}, 120_000);
afterAll(() => deployment?.dispose());

const addAgent = (token: string) =>
  deployment.client.api('/agents', {
    method: 'POST',
    body: {
      token,
      type: 'Fetcher',
      operator: null,
      url: null,
      user_agent_patterns: [token],
      robots_token: token,
      verification: {},
    },
  });
/** Queries a single replica directly, bypassing the gateway. */
const queryReplica = (port: number, credential: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}/internal/robots-txts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
    body: JSON.stringify(FETCHERS),
  });
const isListed = async (token: string): Promise<boolean> => {
  const responses = [
    await deployment.client.post('/robots-txts', FETCHERS),
    await deployment.client.post('/user-agent-token-lists', FETCHERS),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  const texts = await Promise.all(responses.map((answer) => answer.text()));
  return texts.every((text) => text.includes(token));
};

it('applies agent changes in every process within two seconds', async () => {
  expect(await isListed('Zyxfetcher')).toBe(false);
  await addAgent('Zyxfetcher');
  const isEverywhere = async (): Promise<boolean> => {
    const replicas = deployment.stack
      .service('rules')
      .map(async ({ port }) => (await queryReplica(port, secret)).text());
    return (await isListed('Zyxfetcher')) && (await Promise.all(replicas)).every((text) => text.includes('Zyxfetcher'));
  };
  await until(isEverywhere, {
    condition: 'the new agent is in the rules',
    timeoutMs: PROPAGATION_TIMEOUT_MS,
    explain: () => deployment.logs(),
  });
});

it('lets other agents through based on their sample User-Agents', async () => {
  const answer = await deployment.client.post('/user-agent-token-lists', {
    agent_types: ['Search Engine Crawler'],
    excluded_agent_tokens: ['Googlebot-Image'],
    format: 'nginx-map',
  });
  expect(await answer.text()).toMatch(/Not affected.*\n *# .*Googlebot-Image/);
});

it('responds from its cache without Redis, the database, or the catalog', async () => {
  const others = ['redis', 'postgres', 'catalog'].map((name) => deployment.process(name));
  await Promise.all(others.map((one) => one.stop()));
  expect(await isListed('Zyxfetcher')).toBe(true);
  const ready = await fetch(`http://127.0.0.1:${deployment.process('rules').port}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'degraded' }]);
  await Promise.all(others.map((one) => one.start()));
});

it('returns 504 while the rules service is frozen and 503 while it is down', async () => {
  const replicas = deployment.stack.service('rules');
  for (const replica of replicas) await replica.freeze();
  const late = await deployment.client.post('/robots-txts', { agent_types: ['Archiver'] });
  expect(late.status).toBe(504);
  for (const replica of replicas) replica.thaw();
  await Promise.all(replicas.map((replica) => replica.stop()));
  const away = await deployment.client.post('/user-agent-token-lists', FETCHERS);
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '1']);
  expect(JSON.stringify(await away.json())).not.toMatch(/internal|:30|http/i);
  await Promise.all(replicas.map((replica) => replica.start()));
  await until(() => isListed('Zyxfetcher').catch(() => false), { condition: 'the rules are available again' });
});

it('rejects callers without the internal secret', async () => {
  const { port } = deployment.process('rules');
  expect((await queryReplica(port, 'guessed')).status).toBe(401);
});
