/**
 * Measures decisions in the site's own process: duration per request and memory, compared with `isbot`, which only
 * tests the User-Agent against a regular expression. Each side runs in its own process and in turns.
 *
 * Requires a build.
 */
import { execFileSync } from 'node:child_process';
import { createHash, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSnapshotCatalog, getBrowserUserAgents, getBundledCatalog } from '#libs/catalog';
import { MANIFEST_TYPE, SNAPSHOT_VERSION } from '#libs/engine';
import { createStatementKey } from '#libs/statements';
import { isQuick } from './compare.ts';

const ROUNDS = isQuick ? 1 : 5;
const TOKEN = 'agt_bench';
const RULES = 20;

interface Measurement {
  /** Microseconds. */
  p50: number;
  p99: number;
  /** Memory that the process needs in addition to an empty one, in MB. */
  memory: number;
}

async function createInput() {
  const { publicKey, privateKey } = await createStatementKey();
  const rules = Array.from({ length: RULES }, (_, index) => ({
    id: `018f0000-0000-7000-8000-0000000000${10 + index}`,
    name: `Rule ${index}`,
    mode: 'live',
    visitors: { agent_tokens: [`Bot${index}`], operators: ['OpenAI'] },
    requests: { paths: [`/private/${index}/*.pdf$`] },
    action: { kind: 'refuse' },
  }));
  const site = { trustedProxies: {}, hostNames: [] };
  const catalog = createSnapshotCatalog(getBundledCatalog(), new Map(), false, Date.now());
  const content = JSON.stringify({ version: SNAPSHOT_VERSION, site, rules, catalog });
  const now = Math.floor(Date.now() / 1_000);
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const hash = (text: string) => createHash('sha256').update(text);
  const claims = {
    content_sha256: hash(content).digest('base64url'),
    token_sha256: hash(TOKEN).digest('hex'),
    iat: now,
    exp: now + 3_600,
  };
  const signed = `${encode({ alg: 'EdDSA', typ: MANIFEST_TYPE, kid: publicKey.kid })}.${encode(claims)}`;
  const manifest = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
  const samples = getBundledCatalog().agents.flatMap(({ sample_user_agents: userAgents = [] }) => userAgents);
  const userAgents = [...getBrowserUserAgents(), ...samples];
  const requests = Array.from({ length: isQuick ? 5_000 : 50_000 }, (_, index) => ({
    request_path: `/articles/${index}?page=2`,
    request_method: 'GET',
    request_headers: {
      host: 'shop.example',
      'user-agent': userAgents[index % userAgents.length]!,
      accept: 'text/html',
      'accept-language': 'en',
      'x-forwarded-for': `198.51.100.${index % 250}`,
    },
    client_address: '10.0.0.1',
  }));
  return { snapshot: { manifest, content }, options: { keys: [publicKey], token: TOKEN }, requests };
}

const PROGRAM = `
  import { readFileSync } from 'node:fs';
  const getMemory = () => { globalThis.gc(); return process.memoryUsage().rss; };
  let { requests, snapshot, options } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
  const before = getMemory();
  const run = await PREPARE;
  snapshot = null;
  const times = new Float64Array(requests.length);
  for (let pass = 0; pass < 2; pass += 1) {
    for (let index = 0; index < requests.length; index += 1) {
      const started = performance.now();
      run(requests[index]);
      times[index] = performance.now() - started;
    }
  }
  const memory = (getMemory() - before) / 1e6;
  times.sort();
  const quantile = (share) => times[Math.floor((times.length - 1) * share)] * 1_000;
  console.log(JSON.stringify({ p50: quantile(0.5), p99: quantile(0.99), memory }));`;

const engine = join(import.meta.dirname, '../../libs/engine/dist/index.js');
const SIDES = {
  'local decision': `import(${JSON.stringify(engine)}).then(async ({ Engine }) => {
    const engine = await Engine.open(snapshot, options);
    return (request) => engine.decide(request, engine.identify(request).identification);
  })`,
  isbot: `import('isbot').then(({ isbot }) => (request) => isbot(request.request_headers['user-agent']))`,
};

function measure(file: string, prepare: string): Measurement {
  const program = PROGRAM.replace('PREPARE', () => prepare);
  const output = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', program, 'run', file], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
  });
  return JSON.parse(output) as Measurement;
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

/** Prints a table with the medians of all rounds. */
export async function measureLocalDecisions(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-traffic-bench-'));
  const file = join(folder, 'input.json');
  writeFileSync(file, JSON.stringify(await createInput()));
  const results = new Map<string, Measurement[]>(Object.keys(SIDES).map((side) => [side, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [side, prepare] of Object.entries(SIDES)) results.get(side)!.push(measure(file, prepare));
  }
  rmSync(folder, { recursive: true });
  console.log(`decisions in the site's process, with ${RULES} rules; medians of ${ROUNDS} rounds; goal: p50 ≤ 50 µs`);
  console.log('|                |  p50 (µs) |  p99 (µs) | memory (MB) |');
  for (const [side, measurements] of results) {
    const format = (name: keyof Measurement, width: number): string =>
      median(measurements.map((measurement) => measurement[name]))
        .toFixed(1)
        .padStart(width);
    console.log(`| ${side.padEnd(14)} | ${format('p50', 9)} | ${format('p99', 9)} | ${format('memory', 11)} |`);
  }
}
