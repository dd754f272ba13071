import { generateKeyPairSync } from 'node:crypto';
import { pino } from 'pino';
import { parseKeySet, type KeyResult, type KeySet } from '#libs/agents';
import { InMemoryKeyValueStore, KeyValueStore, RedisUnavailableError } from '#libs/cache';
import { GuardedFetchError, type FetchResponse } from './guarded-fetch.js';
import { CachedKeyDirectories, type KeyDirectoriesOptions } from './key-directories.js';

const URL_A = 'https://a.example/.well-known/http-message-signatures-directory';
const URL_B = 'https://b.example/.well-known/http-message-signatures-directory';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const keys = Array.from({ length: 3 }, () => generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }));
const [keyId1, keyId2, keyId3] = keys.map((jwk) => [...parseKeySet(jwk).keys()][0]!) as [string, string, string];
const createDirectory = (...indices: number[]) => JSON.stringify({ keys: indices.map((index) => keys[index]) });

let clock: number;
let fetchedUrls: string[];
/** Response for each directory: the body of a 200 response, other response properties, or an error. */
let responses: Record<string, string | Partial<FetchResponse> | Error>;
const openDirectories: CachedKeyDirectories[] = [];

beforeEach(() => {
  clock = Date.parse('2026-11-21T12:00:00Z');
  fetchedUrls = [];
  responses = { [URL_A]: createDirectory(0), [URL_B]: createDirectory(1) };
});
afterEach(() => {
  for (const directories of openDirectories.splice(0)) directories.close();
});

function createDirectories(options: Partial<KeyDirectoriesOptions> = {}): CachedKeyDirectories {
  const directories = new CachedKeyDirectories({
    fetch: async (url) => {
      fetchedUrls.push(url);
      const answer = responses[url]!;
      if (answer instanceof Error) throw answer;
      const response = typeof answer === 'string' ? { body: Buffer.from(answer) } : answer;
      return { status: 200, headers: {}, body: Buffer.alloc(0), ...response };
    },
    shared: new InMemoryKeyValueStore(),
    isListed: (url) => url in responses,
    logger: pino({ level: 'silent' }),
    now: () => clock,
    refreshIntervalMs: 1_000_000,
    ...options,
  });
  openDirectories.push(directories);
  return directories;
}

/** Returns the key ID or the fault, with a suffix if the result was asynchronous. */
async function toResultText(answer: KeyResult | Promise<KeyResult>): Promise<string> {
  const settled = await answer;
  const text = 'key' in settled ? settled.key.id : settled.fault;
  return answer instanceof Promise ? `${text}, asynchronously` : text;
}
const asynchronously = (text: string) => `${text}, asynchronously`;
const outage = new GuardedFetchError('timed_out', 'no response within 3000 ms');

it('fetches a directory once, then uses the cached keys', async () => {
  const directories = createDirectories();
  const first = [directories.find(URL_A, keyId1), directories.find(URL_A, keyId1)].map(toResultText);
  expect(await Promise.all(first)).toEqual([asynchronously(keyId1), asynchronously(keyId1)]);
  expect(await toResultText(directories.find(URL_A, keyId1))).toBe(keyId1);
  expect(fetchedUrls).toEqual([URL_A]);
});

it('accepts a key only from its own directory', async () => {
  const directories = createDirectories();
  await directories.find(URL_A, keyId1);
  await directories.find(URL_B, keyId2);
  expect(await toResultText(directories.find(URL_A, keyId2))).toBe('key_not_in_directory');
  expect(await toResultText(directories.find(URL_B, keyId1))).toBe('key_not_in_directory');
});

it('never fetches unlisted or pinned directories', async () => {
  const directories = createDirectories({ pinned: () => new Map([[URL_A, parseKeySet(createDirectory(2))]]) });
  expect(await toResultText(directories.find('https://127.0.0.1/', keyId1))).toBe('directory_address_refused');
  expect(await toResultText(directories.find(URL_A, keyId3))).toBe(keyId3);
  expect(await toResultText(directories.find(URL_A, keyId1))).toBe('key_not_in_directory');
  await directories.refresh();
  expect(fetchedUrls).toEqual([]);
});

it('refetches at most every 30 seconds for a missing key', async () => {
  const directories = createDirectories();
  await directories.find(URL_A, keyId1);
  responses[URL_A] = createDirectory(0, 1);
  clock += 29_999;
  expect(await toResultText(directories.find(URL_A, keyId2))).toBe('key_not_in_directory');
  clock += 1;
  expect(await toResultText(directories.find(URL_A, keyId2))).toBe(asynchronously(keyId2));
  clock += 29_999;
  expect(await toResultText(directories.find(URL_A, keyId3))).toBe('key_not_in_directory');
  clock += 1;
  expect(await toResultText(directories.find(URL_A, keyId3))).toBe(asynchronously('key_not_in_directory'));
  expect(fetchedUrls).toHaveLength(3);
});

describe('key set freshness', () => {
  it.each([
    ['max-age=600', 10 * MINUTE_MS],
    ['public, max-age=1', MINUTE_MS],
    ['no-store', MINUTE_MS],
    ['max-age=9999999', 24 * HOUR_MS],
    [null, HOUR_MS],
    ['max-age=soon', HOUR_MS],
  ])('caches keys according to Cache-Control %s, with a minimum and a maximum', async (control, freshness) => {
    const headers: Record<string, string> = control === null ? {} : { 'cache-control': control };
    responses[URL_A] = { body: Buffer.from(createDirectory(0)), headers };
    const directories = createDirectories();
    await directories.find(URL_A, keyId1);
    clock += freshness - 1;
    expect(await toResultText(directories.find(URL_A, keyId1))).toBe(keyId1);
    clock += 1;
    expect(await toResultText(directories.find(URL_A, keyId1))).toBe(asynchronously(keyId1));
  });

  it('subtracts the Age header from the lifetime of a key set', async () => {
    const headers = { 'cache-control': 'max-age=600', age: '300' };
    responses[URL_A] = { body: Buffer.from(createDirectory(0)), headers };
    const directories = createDirectories();
    await directories.find(URL_A, keyId1);
    clock += 5 * MINUTE_MS;
    expect(await toResultText(directories.find(URL_A, keyId1))).toBe(asynchronously(keyId1));
  });

  it('renews a key set before it expires if its directory is in use', async () => {
    const directories = createDirectories();
    await directories.find(URL_A, keyId1);
    clock += 0.79 * HOUR_MS;
    await directories.refresh();
    expect(fetchedUrls).toHaveLength(1);
    clock += 0.16 * HOUR_MS;
    await directories.refresh();
    expect(fetchedUrls).toHaveLength(2);
    clock += 24 * HOUR_MS;
    await directories.refresh();
    expect(fetchedUrls).toHaveLength(2);
  });
});

describe('a directory response', () => {
  it('removes cached keys that the directory response does not contain', async () => {
    const directories = createDirectories();
    await directories.find(URL_A, keyId1);
    responses[URL_A] = createDirectory(1);
    clock += HOUR_MS;
    expect(await toResultText(directories.find(URL_A, keyId1))).toBe(asynchronously('key_not_in_directory'));
    expect(await toResultText(directories.find(URL_A, keyId2))).toBe(keyId2);
    responses[URL_A] = '{"keys":[]}';
    clock += HOUR_MS;
    expect(await toResultText(directories.find(URL_A, keyId2))).toBe(asynchronously('key_not_in_directory'));
  });

  it.each<[string, Partial<FetchResponse> | Error, string]>([
    ['with an error status', { status: 404 }, 'directory_bad_status'],
    ['that is not a key set', { body: Buffer.from('<html>') }, 'directory_malformed'],
    ['that is too large', new GuardedFetchError('too_large', ''), 'directory_malformed'],
    ['that is compressed', new GuardedFetchError('encoded', ''), 'directory_malformed'],
    ['that redirects', new GuardedFetchError('redirected', ''), 'directory_redirected'],
    ['from a rejected address', new GuardedFetchError('address_refused', ''), 'directory_address_refused'],
    ['that times out', outage, 'directory_unreachable'],
  ])('%s does not remove any keys', async (_, failure, fault) => {
    const directories = createDirectories();
    await directories.find(URL_A, keyId1);
    responses[URL_A] = responses[URL_B] = failure;
    expect(await toResultText(directories.find(URL_B, keyId2))).toBe(asynchronously(fault));
    clock += HOUR_MS;
    expect(await toResultText(directories.find(URL_A, keyId1))).toBe(asynchronously(keyId1));
    expect(await toResultText(directories.find(URL_A, keyId1))).toBe(keyId1);
    expect(await toResultText(directories.find(URL_A, keyId2))).toBe(fault);
    clock += 24 * HOUR_MS;
    expect(await toResultText(directories.find(URL_A, keyId1))).toBe(asynchronously(fault));
  });
});

describe('a failing directory', () => {
  it('retries a failing directory after 30 seconds, then with increasing delays, until it responds', async () => {
    responses[URL_A] = outage;
    const directories = createDirectories();
    await directories.find(URL_A, keyId1);
    for (const seconds of [30, 60, 120, 240, 300, 300]) {
      clock += seconds * 1_000 - 1;
      expect(await toResultText(directories.find(URL_A, keyId1))).toBe('directory_unreachable');
      clock += 1;
      expect(await toResultText(directories.find(URL_A, keyId1))).toBe(asynchronously('directory_unreachable'));
    }
    responses[URL_A] = createDirectory(0);
    clock += 5 * MINUTE_MS;
    expect(await toResultText(directories.find(URL_A, keyId1))).toBe(asynchronously(keyId1));
  });

  it.each([
    ['600', 10 * MINUTE_MS],
    ['Sat, 21 Nov 2026 12:02:00 GMT', 2 * MINUTE_MS],
    ['5', 30_000],
    ['99999999', HOUR_MS],
    ['soon', 30_000],
  ])('retries a failing directory after Retry-After %s, with a minimum and a maximum', async (retryAfter, wait) => {
    responses[URL_A] = { status: 503, headers: { 'retry-after': retryAfter } };
    const directories = createDirectories();
    await directories.find(URL_A, keyId1);
    clock += wait - 1;
    expect(await toResultText(directories.find(URL_A, keyId1))).toBe('directory_bad_status');
    clock += 1;
    expect(await toResultText(directories.find(URL_A, keyId1))).toBe(asynchronously('directory_bad_status'));
  });
});

it('returns cached keys while it retries a failing directory', async () => {
  const directories = createDirectories();
  await directories.find(URL_A, keyId1);
  responses[URL_A] = outage;
  clock += HOUR_MS;
  await directories.find(URL_A, keyId1);
  clock += 30_000;
  expect(await toResultText(directories.find(URL_A, keyId1))).toBe(keyId1);
  await directories.refresh();
  expect(fetchedUrls).toHaveLength(3);
  expect(await toResultText(directories.find(URL_A, keyId1))).toBe(keyId1);
  responses[URL_A] = createDirectory(1);
  clock += MINUTE_MS;
  await directories.refresh();
  expect(await toResultText(directories.find(URL_A, keyId1))).toBe('key_not_in_directory');
});

it('stops fetching a directory once it is pinned', async () => {
  let pinned = new Map<string, KeySet>();
  const directories = createDirectories({ pinned: () => pinned });
  await directories.find(URL_A, keyId1);
  pinned = new Map([[URL_A, parseKeySet(createDirectory(2))]]);
  clock += HOUR_MS;
  await directories.refresh();
  expect(fetchedUrls).toHaveLength(1);
});

describe('multiple processes', () => {
  it('lets one process fetch at a time and shares the results with the others', async () => {
    const shared = new InMemoryKeyValueStore();
    const processes = Array.from({ length: 4 }, () => createDirectories({ shared }));
    const findInAll = (keyId: string) =>
      Promise.all(processes.map((process) => toResultText(process.find(URL_A, keyId))));
    expect(await findInAll(keyId1)).toEqual(Array(4).fill(asynchronously(keyId1)));
    expect(fetchedUrls).toHaveLength(1);
    responses[URL_A] = createDirectory(0, 1);
    clock += 30_000;
    expect(await findInAll(keyId2)).toEqual(Array(4).fill(asynchronously(keyId2)));
    expect(fetchedUrls).toHaveLength(2);
    responses[URL_A] = outage;
    clock += HOUR_MS;
    expect(await findInAll(keyId1)).toEqual(Array(4).fill(asynchronously(keyId1)));
    expect(await toResultText(createDirectories({ shared }).find(URL_A, keyId1))).toBe(asynchronously(keyId1));
    expect(fetchedUrls).toHaveLength(3);
  });

  it("fetches a directory for a missing key even if it joins a refresh that adopts another process's keys", async () => {
    const shared = new InMemoryKeyValueStore();
    const [directories, others] = [createDirectories({ shared }), createDirectories({ shared })];
    for (const process of [directories, others]) await process.find(URL_A, keyId1);
    clock += 0.96 * HOUR_MS;
    await others.refresh();
    expect(fetchedUrls).toHaveLength(2);
    clock += 30_000;
    responses[URL_A] = createDirectory(0, 1);
    const refresh = directories.refresh();
    expect(await toResultText(directories.find(URL_A, keyId2))).toBe(asynchronously(keyId2));
    await refresh;
    expect(fetchedUrls).toHaveLength(3);
  });

  it('lets each process fetch independently while Redis is unavailable', async () => {
    const failWithUnavailable = async () => {
      throw new RedisUnavailableError('Redis is unavailable');
    };
    const shared = Object.assign(Object.create(KeyValueStore.prototype) as KeyValueStore, {
      get: failWithUnavailable,
      set: failWithUnavailable,
      claim: failWithUnavailable,
      delete: failWithUnavailable,
    });
    const directories = createDirectories({ shared });
    expect(await toResultText(directories.find(URL_A, keyId1))).toBe(asynchronously(keyId1));
    expect(fetchedUrls).toHaveLength(1);
  });

  it('ignores invalid records shared by other processes', async () => {
    const shared = new InMemoryKeyValueStore();
    await shared.set(`directory:${URL_A}`, 'x', 60);
    await shared.set(`directory:${URL_B}`, `{"found":{"document":"x","fetchedAt":${clock},"freshUntil":${clock}}}`, 60);
    const directories = createDirectories({ shared });
    expect(await toResultText(directories.find(URL_A, keyId1))).toBe(asynchronously(keyId1));
    expect(await toResultText(directories.find(URL_B, keyId2))).toBe(asynchronously(keyId2));
  });

  it('ignores shared records with times in the future', async () => {
    const shared = new InMemoryKeyValueStore();
    const futureTime = clock + 365 * 24 * HOUR_MS;
    const record = {
      found: { document: createDirectory(0), fetchedAt: futureTime, freshUntil: futureTime + HOUR_MS },
      failed: null,
    };
    await shared.set(`directory:${URL_A}`, JSON.stringify(record), 60);
    const failed = { fault: 'directory_unreachable', count: 1, at: clock, retryAt: futureTime };
    await shared.set(`directory:${URL_B}`, JSON.stringify({ found: null, failed }), 60);
    responses[URL_A] = createDirectory(2);
    const directories = createDirectories({ shared });
    expect(await toResultText(directories.find(URL_A, keyId1))).toBe(asynchronously('key_not_in_directory'));
    expect(await toResultText(directories.find(URL_B, keyId2))).toBe(asynchronously(keyId2));
    expect(fetchedUrls).toEqual([URL_A, URL_B]);
  });

  it('takes over the fetching turn of a process that has exited', async () => {
    const shared = new InMemoryKeyValueStore();
    await shared.set(`directory-turn:${URL_A}`, '', 0.1);
    expect(await toResultText(createDirectories({ shared }).find(URL_A, keyId1))).toBe(asynchronously(keyId1));
  });
});

it('limits concurrent fetches to 16 and does not share aborted results', async () => {
  const shared = new InMemoryKeyValueStore();
  let startedFetches = 0;
  const fetchForever: KeyDirectoriesOptions['fetch'] = (_, { signal }) => {
    startedFetches += 1;
    return new Promise((__, reject) => signal!.addEventListener('abort', () => reject(outage)));
  };
  const directories = createDirectories({ shared, fetch: fetchForever, isListed: () => true });
  const urls = Array.from({ length: 20 }, (_, index) => `https://agent-${index}.example/keys`);
  const pendingLookups = urls.map((url) => toResultText(directories.find(url, keyId1)));
  // Lookups reach the fetch within a few event-loop ticks.
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(startedFetches).toBe(16);
  directories.close();
  expect(new Set(await Promise.all(pendingLookups))).toEqual(new Set([asynchronously('directory_pending')]));
  expect(startedFetches).toBe(16);
  expect(await shared.get(`directory:${urls[0]}`)).toBeNull();
});
