import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { LoadReport } from '#libs/contracts';
import { SeededRandom } from '../../libs/demo/src/seeded-random.js';

/** nginx format of the log. */
export const LOAD_LOG_FORMAT =
  '$msec $remote_addr $request_method $request_uri $status $body_bytes_sent $request_time "$http_user_agent"';

const AGENTS = ['GPTBot', 'ClaudeBot', 'PerplexityBot', 'Amazonbot', 'CCBot'];
const DAY_SECONDS = 86_400;

/** Writes a log of requests by several agents over two days, in order of time. */
export async function writeLoadLog(file: string, lines: number, until: number): Promise<void> {
  const random = new SeededRandom(5);
  const stream = createWriteStream(file);
  const start = Math.floor(until / 1_000) - 2 * DAY_SECONDS;
  for (let index = 0; index < lines; index += 1) {
    // Bursts make the peaks of the agents distinct.
    const seconds = start + Math.floor((index / lines) ** 2 * 2 * DAY_SECONDS);
    const agent = AGENTS[Math.floor(random.next() ** 3 * AGENTS.length)]!;
    const path = `/docs/${Math.floor(random.next() ** 2 * 500)}${random.chance(0.2) ? '?page=2' : ''}`;
    const status = random.chance(0.1) ? 304 : random.pick([200, 200, 200, 404]);
    const size = status === 304 ? 0 : Math.floor(random.next() ** 4 * 3e9);
    const time = (random.next() ** 4 * 10).toFixed(3);
    const line = `${seconds}.${String(index % 1_000).padStart(3, '0')} 203.0.113.${index % 200} GET ${path} ${status} ${size} ${time} "Mozilla/5.0 (compatible; ${agent}/1.0)"\n`;
    if (!stream.write(line)) await once(stream, 'drain');
  }
  await finished(stream.end());
}

const AWK = `
  match($0, /compatible; [A-Za-z]+/) {
    agent = substr($0, RSTART + 12, RLENGTH - 12)
    requests[agent] += 1; bytes[agent] += $6; milliseconds[agent] += int($7 * 1000 + 0.5)
    if ($5 == 304) unchanged[agent] += 1
    slot = agent " " int($1 / 10)
    if (++slots[slot] > peaks[agent]) peaks[agent] = slots[slot]
    if (seen[agent " " $4 " " int($1 / 86400)]++) repeats[agent] += 1
  }
  END {
    for (agent in requests) printf "%s %.0f %.0f %.0f %.0f %.0f %.0f\\n", agent, requests[agent], bytes[agent],
      milliseconds[agent], peaks[agent], repeats[agent], unchanged[agent]
  }`;

/** Counts the lines of a log with awk. Returns a line per agent, sorted. */
export const countLoadLog = (file: string): string[] =>
  execFileSync('awk', [AWK, file], { encoding: 'utf8' }).trim().split('\n').toSorted();

/** Returns the same counts from a report by agent. */
export const describeLoad = ({ rows }: LoadReport): string[] =>
  rows
    .map((row) =>
      [
        row.agent_token,
        row.requests,
        row.bytes,
        row.server_time_ms,
        row.peak?.requests,
        row.repeats,
        row.not_modified,
      ].join(' '),
    )
    .toSorted();
