/** Sets each service's clock an hour ahead, then an hour behind, and then corrects it. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signWebBotAuthRequest } from '#libs/agents';
import type { PublicIdentification } from '#libs/contracts';
import { Deployment, SERVICES } from '../kit/deployment.js';
import { FakeClock } from '../kit/fake-clock.js';
import { prolongOutage } from '../kit/faults.js';
import { temporaryFolder, until } from '../kit/instance.js';
import { FaultTrials } from '../kit/fault-trials.js';

const SIGNER = 'https://chatgpt.com';
const ADMIN = { email: 'clocks@example.com', password: 'what time it is, nobody knows' };

let deployment: Deployment;
let folder: string;
let trials: FaultTrials;
/** Session created while all clocks were correct. */
let cookie: string;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');

beforeAll(async () => {
  folder = await temporaryFolder();
  trials = new FaultTrials(folder);
  const keys = join(folder, 'directories.json');
  await writeFile(keys, JSON.stringify({ [SIGNER]: { keys: [publicKey.export({ format: 'jwk' })] } }));
  deployment = await Deployment.start({ env: { KEY_DIRECTORIES_FILE: keys } });
  const { client } = deployment;
  const { code } = await client.api<{ code: string }>('/setup-codes', { method: 'POST', body: {} });
  await client.api('/setup', { method: 'POST', body: { code, name: 'Ada', ...ADMIN } });
  cookie = await signIn();
}, 180_000);
afterAll(async () => {
  trials?.print();
  await deployment?.dispose();
});

async function signIn(): Promise<string> {
  const response = await fetch(`${deployment.client.target.consoleUrl}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(ADMIN),
  });
  expect(response.status).toBe(200);
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

async function isSignedIn(session: string): Promise<boolean> {
  return (await fetch(`${deployment.client.target.consoleUrl}/api/session`, { headers: { cookie: session } })).ok;
}

function createSignedVisit(path = '/') {
  const signature = signWebBotAuthRequest({
    url: `https://shop.example${path}`,
    method: 'GET',
    key: createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })),
    signatureAgent: SIGNER,
    now: Date.now(),
    lifetimeSeconds: 120,
  });
  return { request_path: path, request_method: 'GET', request_headers: { host: 'shop.example', ...signature } };
}

async function verifyRequest(): Promise<string> {
  const response = await deployment.client.post('/agent-verifications', createSignedVisit());
  return ((await response.json()) as PublicIdentification).result;
}

async function storeAndGetResult(path: string): Promise<string> {
  expect((await deployment.client.post('/visits', createSignedVisit(path))).status).toBe(204);
  const [visit] = await until(
    async () => {
      const visits = await deployment.client.visits({ path });
      return visits.length > 0 && visits;
    },
    { condition: 'the visit is stored', timeoutMs: 60_000, explain: () => deployment.logs() },
  );
  return visit!.identification.result;
}

it.each(SERVICES)(
  'neither loses nor duplicates visits when the %s clock jumps',
  async (name) => {
    const clock = await FakeClock.install(deployment.process(name), folder);
    const during: string[] = [];
    const sessions: string[] = [];
    const row = await trials.run(deployment, `${name} clock jumps`, async (load) => {
      for (const hours of [1, -1]) {
        await clock.jump(hours);
        await prolongOutage(load, 10);
        during.push(await verifyRequest());
        expect(await isSignedIn(cookie)).toBe(true);
        // Only the console's clock affects sign-in, which is rate-limited.
        if (name === 'console') sessions.push(await signIn());
      }
      await clock.jump(0);
    });
    expect(Number(row.accepted)).toBeGreaterThanOrEqual(99);
    expect((await deployment.database.query('SELECT reason, detail FROM dead_letters')).rows).toEqual([]);
    // With a wrong clock, the catalog can't accept valid signatures. Once the clock is correct, it must accept them
    // again.
    if (name === 'catalog') expect(during).not.toContain('verified');
    expect([await verifyRequest(), await storeAndGetResult(`/clock-of-${name}`)]).toEqual(['verified', 'verified']);
    for (const session of [cookie, ...sessions]) expect(await isSignedIn(session)).toBe(true);
  },
  300_000,
);
