/**
 * Fuzz tests. schemathesis (PyPI) generates requests from the OpenAPI documents and sends them as each kind of caller.
 * There must be no 5xx, all responses must match the documents, and rejected requests must not store anything. The runs
 * are concurrent, each against a separate standalone instance.
 *
 *   npm run test:fuzz                     five minutes of requests, in about 3.5 minutes
 *   npm run test:fuzz -- --seconds 60     one minute of requests
 *   npm run test:fuzz -- --seed 42        repeats the requests of an earlier run
 *
 * The last line is `N passed, N failed`. Each operation of a run counts as a test, and so does each check after it.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Client } from 'pg';
import { Instance } from '../kit/instance.ts';
import { ADMINISTRATOR, API_KEY, makeFixture } from './fixture.ts';
import { RUNS, type Run } from './runs.ts';
import { fuzz } from './schemathesis.ts';
import { changedTables, openDatabase, readSettled } from './stored.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '300' }, seed: { type: 'string', default: `${randomInt(2 ** 32)}` } },
});
const seconds = Number(values.seconds);
if (!Number.isInteger(seconds) || seconds < 1) {
  throw new Error(`--seconds must be a whole number, 1 or more (got "${values.seconds}")`);
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
for (const ended of await Promise.allSettled(RUNS.map(perform))) {
  if (ended.status === 'rejected') count(false, String(ended.reason));
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function perform(run: Run): Promise<void> {
  const instance = await Instance.start({
    env: {
      ADMIN_EMAIL: ADMINISTRATOR.email,
      ADMIN_PASSWORD: ADMINISTRATOR.password,
      API_KEY,
      // A scheduled fetch would look like data stored by a rejected request.
      ROBOTS_REFRESH_HOURS: '0',
    },
  });
  const database = await openDatabase(instance.dataDirectory);
  try {
    await performOn(instance, database, run);
    count(instance.child.exitCode === null, `${run.name}: the instance still runs`);
  } finally {
    await database.end();
    await instance.dispose();
  }
}

async function performOn({ url }: Instance, database: Client, run: Run): Promise<void> {
  const { name, document, share, isRefused } = run;
  const fixture = await makeFixture(url);
  const before = isRefused ? await readSettled(database) : null;
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
    const changes = changedTables(before, await readSettled(database));
    count(changes.length === 0, `${name}, but something is stored. ${changes.join('; ')}`);
  }
  for (const [caller, headers] of Object.entries(fixture.callers)) {
    if (caller === 'stranger') continue;
    count(await isKnown(url, headers), `the credential of the ${caller} still opens something after: ${name}`);
  }
}

/** Returns whether a credential is still accepted. Otherwise, a run would pass because everything is rejected. */
async function isKnown(url: string, headers: Record<string, string>): Promise<boolean> {
  const [path, method] = 'Authorization' in headers ? ['/visits', 'POST'] : ['/api/projects', 'GET'];
  const { status } = await fetch(url + path, { method, headers });
  return status !== 401;
}
