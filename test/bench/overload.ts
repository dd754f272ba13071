/**
 * Sends more visits than can be stored. Measures how many are acknowledged, compared with the best rate, and how long
 * responses take.
 *
 *   npm run bench -- --overload            the standalone, on the embedded PostgreSQL
 *   npm run bench -- --overload --stack    the gateway on a real Kafka
 */
import { readFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpLoadResult } from '../kit/http-load.ts';
import { printRows, ROUNDS, SECONDS, WARM_UPS, type Row } from './compare.ts';
import { HttpLoadProgram } from './http-load.ts';
import { visits } from './load.ts';
import { processorTime } from './processes.ts';
import { startStack, startStandalone, type OverloadedSystem } from './overloaded.ts';

const PER_REQUEST = 50;
const BODY = JSON.stringify(visits(PER_REQUEST));
const MANY_CONNECTIONS = 512;
/**
 * Connections for requests at a fixed rate. There must be more than requests waiting for storage. Otherwise, requests
 * would wait for a free connection, and their response times would include that wait.
 */
const DUE_CONNECTIONS = 3 * MANY_CONNECTIONS;
/** Number of visits that must be acknowledged in a row for the service to be back to normal. */
const NORMAL_IN_ROW = 20;

const LIMITS = { refusal: 100, answer: 2_000, recovery: 5_000, memory: 500 };

const program = await HttpLoadProgram.build();
const system = await (argv.includes('--stack') ? startStack() : startStandalone());
try {
  printRows(
    `${PER_REQUEST} visits a request, ${DUE_CONNECTIONS} connections at four times the load, then ${MANY_CONNECTIONS}`,
    await overload(system),
  );
} finally {
  await system.dispose();
  await program.dispose();
}

async function overload(target: OverloadedSystem): Promise<Row[]> {
  const row = (what: string, peer: string, unit: string): Row => ({
    what,
    peer,
    unit,
    ours: [],
    theirs: [],
    goal: 0.9,
  });
  const atMost = (what: string, limit: number, unit: string): Row => ({
    ...row(what, `${limit} ${unit}`, unit),
    goal: null,
    limit: 1,
  });
  const best = `the best, with ${target.bestConnections} connections`;
  const share = row('acknowledged at four times the load', best, 'visits/s');
  const closed = row('acknowledged to clients that resend without a pause', best, 'visits/s');
  const processor = row('acknowledged for a second of processor time, at four times the load', best, 'visits');
  const refusal = atMost('refusals at four times the load, p99', LIMITS.refusal, 'ms');
  const answer = atMost('all answers to clients that resend without a pause, p99', LIMITS.answer, 'ms');
  const recovery = atMost('back to normal after it', LIMITS.recovery, 'ms');
  const memory = atMost('memory of the process, at most', LIMITS.memory, 'MB');

  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    const before = await load(target, target.bestConnections);
    const open = await counted(target, DUE_CONNECTIONS, before.rate * 4);
    const resending = await counted(target, MANY_CONNECTIONS);
    const after = await load(target, target.bestConnections);
    if (round < 0) continue;
    const record = ({ ours, theirs }: Row, value: number, other: number): void => {
      ours.push(value);
      theirs.push(other);
    };
    const rate = (before.rate + after.rate) / 2;
    record(share, open.rate * PER_REQUEST, rate * PER_REQUEST);
    record(closed, resending.rate * PER_REQUEST, rate * PER_REQUEST);
    const bestBySecond = (before.perProcessorSecond + after.perProcessorSecond) / 2;
    record(processor, open.perProcessorSecond * PER_REQUEST, bestBySecond * PER_REQUEST);
    if (open.result.count(503) > 0) record(refusal, open.result.quantile(503, 0.99), LIMITS.refusal);
    record(answer, resending.result.quantile(null, 0.99), LIMITS.answer);
    record(recovery, resending.recovery, LIMITS.recovery);
    record(memory, await peakMemory(target.pid), LIMITS.memory);
    process.stderr.write('.');
  }
  return [share, closed, processor, refusal, answer, recovery, memory].filter(({ ours }) => ours.length > 0);
}

interface Measured {
  result: HttpLoadResult;
  /** Acknowledged requests per second. */
  rate: number;
  /** Acknowledged requests per second of CPU time. Other load on the machine affects this less. */
  perProcessorSecond: number;
}

interface Overloaded extends Measured {
  /** Milliseconds until visits are acknowledged again. */
  recovery: number;
}

/** Measures a load, without opening and closing its connections. */
async function load(target: OverloadedSystem, connections: number, rate?: number): Promise<Measured> {
  const { url, token } = target;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const httpLoad = await program.open({ url, path: '/visits', headers, body: BODY, connections });
  const processes = await target.processes();
  const before = await processorTime(processes);
  const result = await httpLoad.run(SECONDS * 1_000, rate);
  const milliseconds = (await processorTime(processes)) - before;
  return { result, rate: result.perSecond(204), perProcessorSecond: (result.count(204) * 1_000) / milliseconds };
}

/**
 * Measures a load and the recovery after it.
 *
 * @throws Error if acknowledged visits are missing, or rejected ones are stored.
 */
async function counted(target: OverloadedSystem, connections: number, rate?: number): Promise<Overloaded> {
  const before = await target.stored?.();
  const loaded = await load(target, connections, rate);
  const { acknowledged, milliseconds } = await recover(target);
  const overloaded = { ...loaded, recovery: milliseconds };
  const after = await target.stored?.();
  if (before === undefined || after === undefined) return overloaded;
  const excess = after.visits - before.visits - loaded.result.count(204) * PER_REQUEST - acknowledged;
  const unknown = (after.cutOff - before.cutOff) * PER_REQUEST;
  if (excess < 0 || excess > unknown) throw new Error(`${excess} more visits are stored than acknowledged`);
  return overloaded;
}

/** Posts single visits until {@link NORMAL_IN_ROW} in a row are acknowledged. */
async function recover({ url, token }: OverloadedSystem): Promise<{ acknowledged: number; milliseconds: number }> {
  const started = performance.now();
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  let acknowledged = 0;
  for (let inRow = 0; inRow < NORMAL_IN_ROW;) {
    const answer = await fetch(`${url}/visits`, { method: 'POST', headers, body: JSON.stringify(visits(1)) });
    if (answer.status === 204) acknowledged += 1;
    inRow = answer.status === 204 ? inRow + 1 : 0;
    if (inRow === 0) await sleep(10);
  }
  return { acknowledged, milliseconds: performance.now() - started };
}

/** Returns the peak memory of a process in megabytes. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return (Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1_024) / 1e6;
}
