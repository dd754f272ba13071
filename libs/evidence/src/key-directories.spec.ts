import { generateKeyPairSync } from 'node:crypto';
import { pino } from 'pino';
import { readKeySet, type KeyAnswer, type KeySet } from '#libs/agents';
import { InMemoryKeyValue, KeyValue, RedisUnavailableError } from '#libs/cache';
import { GuardedFetchError, type Fetched } from './guarded-fetch.js';
import { CachedKeyDirectories, type KeyDirectoriesOptions } from './key-directories.js';

const URL_A = 'https://a.example/.well-known/http-message-signatures-directory';
const URL_B = 'https://b.example/.well-known/http-message-signatures-directory';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const keys = Array.from({ length: 3 }, () => generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }));
const [one, two, three] = keys.map((jwk) => [...readKeySet(jwk).keys()][0]!) as [string, string, string];
const directoryOf = (...indices: number[]) => JSON.stringify({ keys: indices.map((index) => keys[index]) });

let clock: number;
let fetched: string[];
/** Response of each directory: the body of a 200 response, other response properties, or an error. */
let answers: Record<string, string | Partial<Fetched> | Error>;
const opened: CachedKeyDirectories[] = [];

beforeEach(() => {
  clock = Date.parse('2026-11-21T12:00:00Z');
  fetched = [];
  answers = { [URL_A]: directoryOf(0), [URL_B]: directoryOf(1) };
});
afterEach(() => {
  for (const directories of opened.splice(0)) directories.close();
});

function open(options: Partial<KeyDirectoriesOptions> = {}): CachedKeyDirectories {
  const directories = new CachedKeyDirectories({
    fetch: async (url) => {
      fetched.push(url);
      const answer = answers[url]!;
      if (answer instanceof Error) throw answer;
      const whole = typeof answer === 'string' ? { body: Buffer.from(answer) } : answer;
      return { status: 200, headers: {}, body: Buffer.alloc(0), ...whole };
    },
    shared: new InMemoryKeyValue(),
    isListed: (url) => url in answers,
    logger: pino({ level: 'silent' }),
    now: () => clock,
    refreshIntervalMs: 1_000_000,
    ...options,
  });
  opened.push(directories);
  return directories;
}

/** Returns the ID of the key or the fault, with a suffix if the result was asynchronous. */
async function found(answer: KeyAnswer | Promise<KeyAnswer>): Promise<string> {
  const settled = await answer;
  const text = 'key' in settled ? settled.key.id : settled.fault;
  return answer instanceof Promise ? `${text}, after a while` : text;
}
const waited = (text: string) => `${text}, after a while`;
const outage = new GuardedFetchError('timed_out', 'no answer in 3000 ms');

it('waits for a directory once, then responds from memory', async () => {
  const directories = open();
  const first = [directories.find(URL_A, one), directories.find(URL_A, one)].map(found);
  expect(await Promise.all(first)).toEqual([waited(one), waited(one)]);
  expect(await found(directories.find(URL_A, one))).toBe(one);
  expect(fetched).toEqual([URL_A]);
});

it('accepts a key only from its own directory', async () => {
  const directories = open();
  await directories.find(URL_A, one);
  await directories.find(URL_B, two);
  expect(await found(directories.find(URL_A, two))).toBe('key_not_in_directory');
  expect(await found(directories.find(URL_B, one))).toBe('key_not_in_directory');
});

it('never fetches directories that are unlisted or pinned', async () => {
  const directories = open({ pinned: () => new Map([[URL_A, readKeySet(directoryOf(2))]]) });
  expect(await found(directories.find('https://127.0.0.1/', one))).toBe('directory_address_refused');
  expect(await found(directories.find(URL_A, three))).toBe(three);
  expect(await found(directories.find(URL_A, one))).toBe('key_not_in_directory');
  await directories.refresh();
  expect(fetched).toEqual([]);
});

it('fetches at most every 30 s for a missing key', async () => {
  const directories = open();
  await directories.find(URL_A, one);
  answers[URL_A] = directoryOf(0, 1);
  clock += 29_999;
  expect(await found(directories.find(URL_A, two))).toBe('key_not_in_directory');
  clock += 1;
  expect(await found(directories.find(URL_A, two))).toBe(waited(two));
  clock += 29_999;
  expect(await found(directories.find(URL_A, three))).toBe('key_not_in_directory');
  clock += 1;
  expect(await found(directories.find(URL_A, three))).toBe(waited('key_not_in_directory'));
  expect(fetched).toHaveLength(3);
});

describe('freshness', () => {
  it.each([
    ['max-age=600', 10 * MINUTE],
    ['public, max-age=1', MINUTE],
    ['no-store', MINUTE],
    ['max-age=9999999', 24 * HOUR],
    [null, HOUR],
    ['max-age=soon', HOUR],
  ])('follows Cache-Control %s, within limits', async (control, freshness) => {
    const headers: Record<string, string> = control === null ? {} : { 'cache-control': control };
    answers[URL_A] = { body: Buffer.from(directoryOf(0)), headers };
    const directories = open();
    await directories.find(URL_A, one);
    clock += freshness - 1;
    expect(await found(directories.find(URL_A, one))).toBe(one);
    clock += 1;
    expect(await found(directories.find(URL_A, one))).toBe(waited(one));
  });

  it('is reduced by the Age of the response', async () => {
    const headers = { 'cache-control': 'max-age=600', age: '300' };
    answers[URL_A] = { body: Buffer.from(directoryOf(0)), headers };
    const directories = open();
    await directories.find(URL_A, one);
    clock += 5 * MINUTE;
    expect(await found(directories.find(URL_A, one))).toBe(waited(one));
  });

  it('is renewed before it ends, for directories in use', async () => {
    const directories = open();
    await directories.find(URL_A, one);
    clock += 0.79 * HOUR;
    await directories.refresh();
    expect(fetched).toHaveLength(1);
    clock += 0.16 * HOUR;
    await directories.refresh();
    expect(fetched).toHaveLength(2);
    clock += 24 * HOUR;
    await directories.refresh();
    expect(fetched).toHaveLength(2);
  });
});

describe('a response', () => {
  it('without the key removes the key', async () => {
    const directories = open();
    await directories.find(URL_A, one);
    answers[URL_A] = directoryOf(1);
    clock += HOUR;
    expect(await found(directories.find(URL_A, one))).toBe(waited('key_not_in_directory'));
    expect(await found(directories.find(URL_A, two))).toBe(two);
    answers[URL_A] = '{"keys":[]}';
    clock += HOUR;
    expect(await found(directories.find(URL_A, two))).toBe(waited('key_not_in_directory'));
  });

  it.each<[string, Partial<Fetched> | Error, string]>([
    ['with another status', { status: 404 }, 'directory_bad_status'],
    ['that is not a key set', { body: Buffer.from('<html>') }, 'directory_malformed'],
    ['that is too large', new GuardedFetchError('too_large', ''), 'directory_malformed'],
    ['that is packed', new GuardedFetchError('encoded', ''), 'directory_malformed'],
    ['that leads elsewhere', new GuardedFetchError('redirected', ''), 'directory_redirected'],
    ['from an address that is refused', new GuardedFetchError('address_refused', ''), 'directory_address_refused'],
    ['that does not come', outage, 'directory_unreachable'],
  ])('%s removes no key', async (_, failure, fault) => {
    const directories = open();
    await directories.find(URL_A, one);
    answers[URL_A] = answers[URL_B] = failure;
    expect(await found(directories.find(URL_B, two))).toBe(waited(fault));
    clock += HOUR;
    expect(await found(directories.find(URL_A, one))).toBe(waited(one));
    expect(await found(directories.find(URL_A, one))).toBe(one);
    expect(await found(directories.find(URL_A, two))).toBe(fault);
    clock += 24 * HOUR;
    expect(await found(directories.find(URL_A, one))).toBe(waited(fault));
  });
});

describe('a failing directory', () => {
  it('is retried after 30 s, then less and less often, until it responds', async () => {
    answers[URL_A] = outage;
    const directories = open();
    await directories.find(URL_A, one);
    for (const seconds of [30, 60, 120, 240, 300, 300]) {
      clock += seconds * 1_000 - 1;
      expect(await found(directories.find(URL_A, one))).toBe('directory_unreachable');
      clock += 1;
      expect(await found(directories.find(URL_A, one))).toBe(waited('directory_unreachable'));
    }
    answers[URL_A] = directoryOf(0);
    clock += 5 * MINUTE;
    expect(await found(directories.find(URL_A, one))).toBe(waited(one));
  });

  it.each([
    ['600', 10 * MINUTE],
    ['Sat, 21 Nov 2026 12:02:00 GMT', 2 * MINUTE],
    ['5', 30_000],
    ['99999999', HOUR],
    ['soon', 30_000],
  ])('is retried according to Retry-After %s, within limits', async (retryAfter, wait) => {
    answers[URL_A] = { status: 503, headers: { 'retry-after': retryAfter } };
    const directories = open();
    await directories.find(URL_A, one);
    clock += wait - 1;
    expect(await found(directories.find(URL_A, one))).toBe('directory_bad_status');
    clock += 1;
    expect(await found(directories.find(URL_A, one))).toBe(waited('directory_bad_status'));
  });
});

it('serves cached keys while it retries a failing directory', async () => {
  const directories = open();
  await directories.find(URL_A, one);
  answers[URL_A] = outage;
  clock += HOUR;
  await directories.find(URL_A, one);
  clock += 30_000;
  expect(await found(directories.find(URL_A, one))).toBe(one);
  await directories.refresh();
  expect(fetched).toHaveLength(3);
  expect(await found(directories.find(URL_A, one))).toBe(one);
  answers[URL_A] = directoryOf(1);
  clock += MINUTE;
  await directories.refresh();
  expect(await found(directories.find(URL_A, one))).toBe('key_not_in_directory');
});

it('stops fetching a directory once it is pinned', async () => {
  let pinned = new Map<string, KeySet>();
  const directories = open({ pinned: () => pinned });
  await directories.find(URL_A, one);
  pinned = new Map([[URL_A, readKeySet(directoryOf(2))]]);
  clock += HOUR;
  await directories.refresh();
  expect(fetched).toHaveLength(1);
});

describe('multiple processes', () => {
  it('fetch one at a time and share the results', async () => {
    const shared = new InMemoryKeyValue();
    const processes = Array.from({ length: 4 }, () => open({ shared }));
    const all = (keyId: string) => Promise.all(processes.map((process) => found(process.find(URL_A, keyId))));
    expect(await all(one)).toEqual(Array(4).fill(waited(one)));
    expect(fetched).toHaveLength(1);
    answers[URL_A] = directoryOf(0, 1);
    clock += 30_000;
    expect(await all(two)).toEqual(Array(4).fill(waited(two)));
    expect(fetched).toHaveLength(2);
    answers[URL_A] = outage;
    clock += HOUR;
    expect(await all(one)).toEqual(Array(4).fill(waited(one)));
    expect(await found(open({ shared }).find(URL_A, one))).toBe(waited(one));
    expect(fetched).toHaveLength(3);
  });

  it('fetch independently while Redis is unavailable', async () => {
    const away = async () => {
      throw new RedisUnavailableError('Redis is away');
    };
    const shared = Object.assign(Object.create(KeyValue.prototype) as KeyValue, {
      get: away,
      set: away,
      claim: away,
      delete: away,
    });
    const directories = open({ shared });
    expect(await found(directories.find(URL_A, one))).toBe(waited(one));
    expect(fetched).toHaveLength(1);
  });

  it('ignore invalid shared records', async () => {
    const shared = new InMemoryKeyValue();
    await shared.set(`directory:${URL_A}`, 'x', 60);
    await shared.set(`directory:${URL_B}`, `{"found":{"document":"x","fetchedAt":${clock},"freshUntil":${clock}}}`, 60);
    const directories = open({ shared });
    expect(await found(directories.find(URL_A, one))).toBe(waited(one));
    expect(await found(directories.find(URL_B, two))).toBe(waited(two));
  });

  it('ignore shared records with times in the future', async () => {
    const shared = new InMemoryKeyValue();
    const ahead = clock + 365 * 24 * HOUR;
    const record = { found: { document: directoryOf(0), fetchedAt: ahead, freshUntil: ahead + HOUR }, failed: null };
    await shared.set(`directory:${URL_A}`, JSON.stringify(record), 60);
    const failed = { fault: 'directory_unreachable', count: 1, at: clock, retryAt: ahead };
    await shared.set(`directory:${URL_B}`, JSON.stringify({ found: null, failed }), 60);
    answers[URL_A] = directoryOf(2);
    const directories = open({ shared });
    expect(await found(directories.find(URL_A, one))).toBe(waited('key_not_in_directory'));
    expect(await found(directories.find(URL_B, two))).toBe(waited(two));
    expect(fetched).toEqual([URL_A, URL_B]);
  });

  it('take over the turn of a process that exited', async () => {
    const shared = new InMemoryKeyValue();
    await shared.set(`directory-turn:${URL_A}`, '', 0.1);
    expect(await found(open({ shared }).find(URL_A, one))).toBe(waited(one));
  });
});

it('limits concurrent fetches to 16 and shares no result of aborted ones', async () => {
  const shared = new InMemoryKeyValue();
  let atOnce = 0;
  const endless: KeyDirectoriesOptions['fetch'] = (_, { signal }) => {
    atOnce += 1;
    return new Promise((__, reject) => signal!.addEventListener('abort', () => reject(outage)));
  };
  const directories = open({ shared, fetch: endless, isListed: () => true });
  const urls = Array.from({ length: 20 }, (_, index) => `https://agent-${index}.example/keys`);
  const waiting = urls.map((url) => found(directories.find(url, one)));
  // Reaching the fetch takes a few event-loop ticks at most.
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(atOnce).toBe(16);
  directories.close();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([waited('directory_pending')]));
  expect(atOnce).toBe(16);
  expect(await shared.get(`directory:${urls[0]}`)).toBeNull();
});
