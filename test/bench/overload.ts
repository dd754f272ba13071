/**
 * Sends more visits than can be stored. Measures how many are acknowledged, compared with the peak rate, and how long
 * responses take.
 *
 *   npm run bench -- --overload            standalone mode on the embedded PostgreSQL
 *   npm run bench -- --overload --stack    the gateway on a real Kafka
 */
import { readFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpLoadResult } from '../kit/http-load.ts';
import { printRows, ROUNDS, ROUND_SECONDS, WARM_UP_ROUNDS, type Row } from './compare.ts';
import { HttpLoadProgram } from './http-load.ts';
import { createVisits } from './load.ts';
import { getCpuTimeMs } from './processes.ts';
import { startStack, startStandalone, type OverloadedSystem } from './overload-systems.ts';

const PER_REQUEST = 50;
const BODY = JSON.stringify(createVisits(PER_REQUEST));
const MANY_CONNECTIONS = 512;
/**
 * Connections for requests at a fixed rate. There must be more connections than requests waiting for storage.
 * Otherwise, response times would include the wait for a free connection.
 */
const OPEN_LOOP_CONNECTIONS = 3 * MANY_CONNECTIONS;
/** Number of consecutive visits that must be acknowledged before the service counts as recovered. */
const RECOVERY_STREAK = 20;

const LIMITS = { refusal: 100, answer: 2_000, recovery: 5_000, memory: 500 };

const program = await HttpLoadProgram.build();
const system = await (argv.includes('--stack') ? startStack() : startStandalone());
try {
  printRows(
    `${PER_REQUEST} visits per request, ${OPEN_LOOP_CONNECTIONS} connections at four times the load, then ${MANY_CONNECTIONS}`,
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
  const createLimitRow = (what: string, limit: number, unit: string): Row => ({
    ...row(what, `${limit} ${unit}`, unit),
    goal: null,
    limit: 1,
  });
  const best = `peak rate, with ${target.bestConnections} connections`;
  const share = row('acknowledged at four times the load', best, 'visits/s');
  const closedLoop = row('acknowledged to clients that resend immediately', best, 'visits/s');
  const processor = row('acknowledged per second of CPU time, at four times the load', best, 'visits');
  const refusal = createLimitRow('rejections at four times the load, p99', LIMITS.refusal, 'ms');
  const answer = createLimitRow('all responses to clients that resend immediately, p99', LIMITS.answer, 'ms');
  const recovery = createLimitRow('recovery time', LIMITS.recovery, 'ms');
  const memory = createLimitRow('peak memory of the process', LIMITS.memory, 'MB');

  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const before = await load(target, target.bestConnections);
    const open = await measureWithRecovery(target, OPEN_LOOP_CONNECTIONS, before.rate * 4);
    const resending = await measureWithRecovery(target, MANY_CONNECTIONS);
    const after = await load(target, target.bestConnections);
    if (round < 0) continue;
    const record = ({ ours, theirs }: Row, value: number, other: number): void => {
      ours.push(value);
      theirs.push(other);
    };
    const rate = (before.rate + after.rate) / 2;
    record(share, open.rate * PER_REQUEST, rate * PER_REQUEST);
    record(closedLoop, resending.rate * PER_REQUEST, rate * PER_REQUEST);
    const bestBySecond = (before.perProcessorSecond + after.perProcessorSecond) / 2;
    record(processor, open.perProcessorSecond * PER_REQUEST, bestBySecond * PER_REQUEST);
    if (open.result.count(503) > 0) record(refusal, open.result.quantile(503, 0.99), LIMITS.refusal);
    record(answer, resending.result.quantile(null, 0.99), LIMITS.answer);
    record(recovery, resending.recovery, LIMITS.recovery);
    record(memory, await peakMemory(target.pid), LIMITS.memory);
    process.stderr.write('.');
  }
  return [share, closedLoop, processor, refusal, answer, recovery, memory].filter(({ ours }) => ours.length > 0);
}

interface LoadMeasurement {
  result: HttpLoadResult;
  /** Acknowledged requests per second. */
  rate: number;
  /** Acknowledged requests per second of CPU time. Less affected by other load on the machine. */
  perProcessorSecond: number;
}

interface OverloadMeasurement extends LoadMeasurement {
  /** Time until visits are acknowledged again, in milliseconds. */
  recovery: number;
}

/** Measures a load, excluding the time to open and close its connections. */
async function load(target: OverloadedSystem, connections: number, rate?: number): Promise<LoadMeasurement> {
  const { url, token } = target;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const httpLoad = await program.open({ url, path: '/visits', headers, bodies: [BODY], connections });
  const processes = await target.processes();
  const before = await getCpuTimeMs(processes);
  const result = await httpLoad.run(ROUND_SECONDS * 1_000, rate);
  const milliseconds = (await getCpuTimeMs(processes)) - before;
  return {
    result,
    rate: result.responsesPerSecond(204),
    perProcessorSecond: (result.count(204) * 1_000) / milliseconds,
  };
}

/**
 * Measures a load and the recovery after it.
 *
 * @throws {Error} if acknowledged visits are missing or rejected visits are stored
 */
async function measureWithRecovery(
  target: OverloadedSystem,
  connections: number,
  rate?: number,
): Promise<OverloadMeasurement> {
  const before = await target.stored?.();
  const loaded = await load(target, connections, rate);
  const { acknowledged, milliseconds } = await measureRecovery(target);
  const overloaded = { ...loaded, recovery: milliseconds };
  const after = await target.stored?.();
  if (before === undefined || after === undefined) return overloaded;
  const excess = after.visits - before.visits - loaded.result.count(204) * PER_REQUEST - acknowledged;
  const unknown = (after.cutOff - before.cutOff) * PER_REQUEST;
  if (excess < 0 || excess > unknown)
    throw new Error(`The difference between stored and acknowledged visits is ${excess}`);
  return overloaded;
}

/** Posts single visits until {@link RECOVERY_STREAK} in a row are acknowledged. */
async function measureRecovery({
  url,
  token,
}: OverloadedSystem): Promise<{ acknowledged: number; milliseconds: number }> {
  const started = performance.now();
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  let acknowledged = 0;
  for (let streak = 0; streak < RECOVERY_STREAK;) {
    const answer = await fetch(`${url}/visits`, { method: 'POST', headers, body: JSON.stringify(createVisits(1)) });
    if (answer.status === 204) acknowledged += 1;
    streak = answer.status === 204 ? streak + 1 : 0;
    if (streak === 0) await sleep(10);
  }
  return { acknowledged, milliseconds: performance.now() - started };
}

/** Returns a process's peak memory in megabytes. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return (Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1_024) / 1e6;
}
