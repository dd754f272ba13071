import { gunzipSync } from 'node:zlib';
import { STATEMENT_KEYS_PATH } from '#libs/contracts';
import { Engine, type SnapshotFault, type SnapshotKey } from '../../libs/engine/src/package.js';
import { App } from '../kit/app.js';
import { createCorpus } from '../kit/engine-cases.js';

let app: App;
let keys: SnapshotKey[];
beforeAll(async () => {
  app = await App.start();
  ({ keys } = (await app.send('GET', STATEMENT_KEYS_PATH, undefined, {})).body);
});
afterAll(() => app.dispose());

const download = (headers: Record<string, string> = {}, token = app.accessToken) =>
  app.send('GET', '/snapshot', undefined, { authorization: `Bearer ${token}`, ...headers });

async function downloadSnapshot() {
  const { headers, text } = await download();
  return { manifest: String(headers['agent-traffic-manifest']), content: text };
}

const getFault = (opening: Promise<Engine>): Promise<SnapshotFault | null> =>
  opening.then(
    () => null,
    ({ fault }: { fault: SnapshotFault }) => fault,
  );

it('signs a snapshot that is compressed and revalidated by its ETag', async () => {
  const plain = await download();
  expect([plain.status, plain.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  const response = await app.nest.inject({
    method: 'GET',
    url: '/snapshot',
    headers: { authorization: `Bearer ${app.accessToken}`, 'accept-encoding': 'gzip, br' },
  });
  expect(response.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(response.rawPayload).toString()).toBe(plain.text);
  expect(response.rawPayload.length).toBeLessThan(plain.text.length / 3);
  const tag = String(plain.headers['etag']);
  const unchanged = await download({ 'if-none-match': tag });
  expect([unchanged.status, unchanged.text, unchanged.headers['etag']]).toEqual([304, '', tag]);
  const manifest = String(unchanged.headers['agent-traffic-manifest']);
  const engine = await Engine.open({ manifest, content: plain.text }, { keys, token: app.accessToken });
  expect(engine.expiresAt - engine.issuedAt).toBe(600_000);
});

it('requires an access token that may ask', async () => {
  expect((await download({}, 'agt_unknown')).status).toBe(401);
});

it('identifies the entire corpus like the instance', async () => {
  const engine = await Engine.open(await downloadSnapshot(), { keys, token: app.accessToken });
  const corpus = createCorpus();
  const different: unknown[] = [];
  for (let start = 0; start < corpus.length; start += 500) {
    const batch = corpus.slice(start, start + 500);
    const { body } = await app.post(
      '/agent-identifications',
      batch.map(({ request_headers, client_address }) => ({ request_headers, client_address })),
    );
    for (const [index, request] of batch.entries()) {
      const local = await engine.identify(request);
      const isSame = JSON.stringify(local.identification) === JSON.stringify(body[index]);
      if (local.missing === null && !isSame) different.push({ request, local, expected: body[index] });
    }
  }
  expect(different).toEqual([]);
});

it('rejects snapshots that were changed, replayed, or issued to others', async () => {
  const snapshot = await downloadSnapshot();
  const { manifest, content } = snapshot;
  const [header, payload, signature] = manifest.split('.');
  const options = { keys, token: app.accessToken };
  const { issuedAt } = await Engine.open(snapshot, options);
  const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString());
  const forged = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 1 })).toString('base64url');
  const attempts: [SnapshotFault, Promise<Engine>][] = [
    ['invalid_signature', Engine.open({ manifest, content: content.replace('GPTBot', 'GPTBit') }, options)],
    ['invalid_signature', Engine.open({ manifest: `${header}.${forged}.${signature}`, content }, options)],
    ['invalid_signature', Engine.open({ manifest: `${header}.${payload}.AAAA`, content }, options)],
    ['invalid_signature', Engine.open({ manifest: `${header}.${payload}`, content }, options)],
    ['malformed', Engine.open({ manifest: '', content }, options)],
    ['malformed', Engine.open({ manifest: '!.!.!', content }, options)],
    ['unknown_key', Engine.open(snapshot, { ...options, keys: [] })],
    ['invalid_signature', Engine.open(snapshot, { ...options, keys: keys.map((key) => ({ ...key, x: 'AAAA' })) })],
    ['wrong_project', Engine.open(snapshot, { ...options, token: 'agt_other' })],
    ['older', Engine.open(snapshot, { ...options, issuedAt: issuedAt + 1_000 })],
    ['expired', Engine.open(snapshot, { ...options, now: () => issuedAt + 600_000 })],
    ['expired', Engine.open(snapshot, { ...options, now: () => issuedAt - 61_000 })],
  ];
  expect(await Promise.all(attempts.map(([, opening]) => getFault(opening)))).toEqual(attempts.map(([fault]) => fault));
});
