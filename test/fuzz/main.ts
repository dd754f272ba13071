/**
 * Fuzz tests. schemathesis (PyPI) generates requests from the OpenAPI documents and sends them as each type of caller.
 * No response may be a 5xx, all responses must match the documents, and rejected requests must not store anything. The
 * runs are concurrent, each against a separate standalone instance.
 *
 *   npm run test:fuzz                     five minutes of requests, in about 3.5 minutes
 *   npm run test:fuzz -- --seconds 60     one minute of requests
 *   npm run test:fuzz -- --seed 42        repeats the requests of an earlier run
 *
 * The last line of output is `N passed, N failed`. Each operation in a run counts as one test, as does each check after
 * the run.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Client } from 'pg';
import { Instance } from '../kit/instance.ts';
import { ADMINISTRATOR, API_KEY, createFixture } from './fixture.ts';
import { RUNS, type Run } from './runs.ts';
import { fuzz } from './schemathesis.ts';
import { findChangedTables, openDatabase, readSettledSnapshot } from './database-snapshot.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '300' }, seed: { type: 'string', default: `${randomInt(2 ** 32)}` } },
});
const seconds = Number(values.seconds);
if (!Number.isInteger(seconds) || seconds < 1) {
  throw new Error(`--seconds must be a positive integer (got "${values.seconds}")`);
}

let passed = 0;
let failed = 0;

function count(isPassed: boolean, what: string): void {
  if (isPassed) passed += 1;
  else {
    failed += 1;
    console.log(`FAILED: ${what}`);
  }
}

console.log(`seed ${values.seed}`);
for (const ended of await Promise.allSettled(RUNS.map(performRun))) {
  if (ended.status === 'rejected') count(false, String(ended.reason));
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function performRun(run: Run): Promise<void> {
  const instance = await Instance.start({
    env: {
      ADMIN_EMAIL: ADMINISTRATOR.email,
      ADMIN_PASSWORD: ADMINISTRATOR.password,
      API_KEY,
      // Disable scheduled fetches. The data they store would be mistaken for data stored by a rejected request.
      ROBOTS_REFRESH_HOURS: '0',
    },
  });
  const database = await openDatabase(instance.dataDirectory);
  try {
    await performOn(instance, database, run);
    count(instance.child.exitCode === null, `${run.name}: the instance exited`);
  } finally {
    await database.end();
    await instance.dispose();
  }
}

async function performOn({ url }: Instance, database: Client, run: Run): Promise<void> {
  const { name, document, share, expectsRejection: isRefused } = run;
  const fixture = await createFixture(url);
  const before = isRefused ? await readSettledSnapshot(database) : null;
  const result = await fuzz({
    document,
    url,
    generatesCredentials: isRefused,
    fixture,
    seconds: Math.max(1, Math.round(seconds * share)),
    seed: values.seed,
  });
  passed += result.passed;
  failed += result.failed;
  console.log(`${name}: ${result.requests} requests, ${result.passed} operations passed, ${result.failed} failed`);
  if (result.failed > 0) console.log(result.output);
  if (before !== null) {
    const changes = findChangedTables(before, await readSettledSnapshot(database));
    count(changes.length === 0, `${name}: rejected requests stored data. ${changes.join('; ')}`);
  }
  for (const [caller, headers] of Object.entries(fixture.callers)) {
    if (caller === 'stranger') continue;
    count(await isAccepted(url, headers), `the ${caller} credential stopped working during the run: ${name}`);
  }
}

/**
 * Returns whether a credential is still accepted. If it were revoked during the run, all requests would be rejected,
 * and the run would pass without having tested anything.
 */
async function isAccepted(url: string, headers: Record<string, string>): Promise<boolean> {
  const [path, method] = 'Authorization' in headers ? ['/visits', 'POST'] : ['/api/projects', 'GET'];
  const { status } = await fetch(url + path, { method, headers });
  return status !== 401;
}
