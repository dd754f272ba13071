import { generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { register } from 'prom-client';
import { parseKeySet } from '#libs/agents';
import { InMemoryKeyValueStore } from '#libs/cache';
import { HttpsServer, createCertificates, type TestCertificates } from '../../../test/kit/https.js';
import { PUBLIC_EGRESS, type EgressPolicy } from './egress-policy.js';
import { createGuardedFetch } from './guarded-fetch.js';
import { CachedKeyDirectories } from './key-directories.js';

const jwk = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
const [keyId] = parseKeySet(jwk).keys();
const DOCUMENT = JSON.stringify({ keys: [jwk] });
/** Compress this in advance, so that the response isn't delayed. */
const COMPRESSED = gzipSync(Buffer.alloc(50_000_000));

let certificates: TestCertificates;
let server: HttpsServer;
let localPolicy: EgressPolicy;
let url: string;
let clock: number;
const openDirectories: CachedKeyDirectories[] = [];

beforeAll(async () => {
  certificates = await createCertificates(['DNS:agent.test', 'DNS:agent.example']);
  server = await HttpsServer.start(certificates, () => undefined);
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  localPolicy = { allowPrivateAddresses: true, allowedPorts: 'any', ca: certificates.ca, lookup };
  url = `https://agent.test:${server.port}/keys`;
});
beforeEach(() => {
  clock = Date.now();
  server.requests.length = 0;
  server.handler = (_, response) => response.end(DOCUMENT);
});
afterEach(() => {
  for (const directories of openDirectories.splice(0)) directories.close();
});
afterAll(() => server.dispose());

function createDirectories(shared = new InMemoryKeyValueStore(), policy = localPolicy): CachedKeyDirectories {
  const logger = pino({ level: 'silent' });
  const options = { shared, logger, fetch: createGuardedFetch(policy), isListed: () => true, now: () => clock };
  const directories = new CachedKeyDirectories(options);
  openDirectories.push(directories);
  return directories;
}

it('sends an Accept header and accepts key sets with any content type', async () => {
  server.handler = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(DOCUMENT);
  expect(await createDirectories().find(url, keyId!)).toMatchObject({ key: { id: keyId, algorithm: 'ed25519' } });
  expect(server.requests[0]!.headers.accept).toBe(
    'application/http-message-signatures-directory+json, application/jwk-set+json;q=0.9, application/json;q=0.8',
  );
});

it('sends one request for concurrent lookups in two processes', async () => {
  const shared = new InMemoryKeyValueStore();
  const processes = [createDirectories(shared), createDirectories(shared)];
  const answers = Array.from({ length: 100 }, (_, index) => processes[index % 2]!.find(url, keyId!));
  for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ key: { id: keyId } });
  expect(server.requests).toHaveLength(1);
});

const faults: [string, (response: ServerResponse) => void, string][] = [
  ['a redirect', (response) => response.writeHead(302, { location: url }).end(), 'directory_redirected'],
  ['an error status', (response) => response.writeHead(404).end(DOCUMENT), 'directory_bad_status'],
  ['a document without a key set', (response) => response.end('{}'), 'directory_malformed'],
  ['an oversized document', (response) => response.end(DOCUMENT.padEnd(64 * 1_024 + 1)), 'directory_malformed'],
  [
    'a compression bomb',
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(COMPRESSED),
    'directory_malformed',
  ],
  ['a dropped connection', (response) => response.socket!.destroy(), 'directory_unreachable'],
  [
    'a slowly dripping body',
    (response) => {
      const dripping = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(dripping));
    },
    'directory_unreachable',
  ],
];
it.each(faults)('reports the fault and retains cached keys after %s', async (_, answer, fault) => {
  const directories = createDirectories();
  await directories.find(url, keyId!);
  server.handler = (__, response) => answer(response);
  const fetches = register.getSingleMetric('agent_traffic_key_directory_fetches_total')!;
  const count = async () => (await fetches.get()).values.find(({ labels }) => labels['outcome'] === fault)?.value ?? 0;
  const before = await count();
  clock += 3_600_000;
  expect(await directories.find(url, keyId!)).toMatchObject({ key: { id: keyId } });
  expect(server.requests).toHaveLength(2);
  expect(await count()).toBe(before + 1);
  expect(await directories.find(url, 'another')).toEqual({ fault });
  expect(server.requests).toHaveLength(2);
});

it('accepts a document of exactly the maximum size', async () => {
  server.handler = (_, response) => response.end(DOCUMENT.padEnd(64 * 1_024));
  expect(await createDirectories().find(url, keyId!)).toMatchObject({ key: { id: keyId } });
});

it('rejects private addresses under the production policy', async () => {
  const directories = createDirectories(undefined, PUBLIC_EGRESS);
  for (const host of ['127.0.0.1', 'localhost', `agent.test:${server.port}`]) {
    expect(await directories.find(`https://${host}/keys`, keyId!)).toEqual({ fault: 'directory_address_refused' });
  }
  const publicOnly = createDirectories(undefined, { ...localPolicy, allowPrivateAddresses: false });
  const name = `https://agent.example:${server.port}/keys`;
  expect(await publicOnly.find(name, keyId!)).toEqual({ fault: 'directory_address_refused' });
  expect(server.requests).toEqual([]);
});
