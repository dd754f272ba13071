/**
 * Measures how much the client adds to a site's response times. The same site runs with and without the client, in
 * separate processes. A single visitor alternates between both sites, so other load on the machine affects both
 * equally. Another process receives the visits. The client sends a batch after every 50 visits.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { FRAMEWORKS, type Framework } from '../client/site-programs.ts';
import { Site } from '../client/site.ts';
import { isQuick } from './compare.ts';
import { measureLocalDecisions } from './local-decisions.ts';

const ROUNDS = isQuick ? 2 : 9;
const WARM_UPS = 2;
/** Requests to each site per round. */
const REQUESTS = isQuick ? 300 : 3_000;
const QUANTILES = [0.5, 0.99];

const RECEIVER = `
  import { createServer } from 'node:http';
  const server = createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end()));
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)]!;
}

async function measureResponseMs(site: Site): Promise<number> {
  const started = performance.now();
  await site.get('/page/1');
  return performance.now() - started;
}

/** Returns each site's response times in milliseconds. */
async function round(plain: Site, reporting: Site): Promise<[plain: number[], reporting: number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let request = 0; request < REQUESTS; request += 1) {
    times[0].push(await measureResponseMs(plain));
    times[1].push(await measureResponseMs(reporting));
  }
  return times;
}

async function compareSites(framework: Framework, reportsTo: { url: string; accessToken: string }): Promise<string> {
  const plain = await Site.start(framework, {});
  const reporting = await Site.start(framework, { reportsTo });
  const rounds: [plain: number[], reporting: number[]][] = [];
  for (let index = -WARM_UPS; index < ROUNDS; index += 1) {
    const times = await round(plain, reporting);
    if (index >= 0) rounds.push(times);
  }
  await Promise.all([plain.stop(), reporting.stop()]);
  const columns = QUANTILES.flatMap((share) => {
    const [without, within] = [0, 1].map((index) => rounds.map((times) => quantile(times[index]!, share))) as [
      number[],
      number[],
    ];
    const added = within.map((value, index) => value - without[index]!);
    return [without, within, added].map((values) => quantile(values, 0.5));
  });
  return `| ${framework.padEnd(9)} |${columns.map((value) => ` ${value.toFixed(3).padStart(11)} |`).join('')}`;
}

await measureLocalDecisions();

const receiver = spawn(process.execPath, ['--input-type=module', '-e', RECEIVER], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [port] = (await once(receiver.stdout, 'data')) as [Buffer];
const reportsTo = { url: `http://127.0.0.1:${String(port).trim()}`, accessToken: 'agt_bench' };
console.log(
  `milliseconds; medians of ${ROUNDS} rounds with ${REQUESTS} requests to each site; added: median difference`,
);
console.log('| framework | p50 without |    p50 with |       added | p99 without |    p99 with |       added |');
for (const framework of FRAMEWORKS) console.log(await compareSites(framework, reportsTo));
receiver.kill();
