import { CONSOLE_INTERFACE, DRAIN_LIMITS, PUBLIC_INTERFACE } from '#libs/contracts';
import { DRAIN_SOURCES, type DrainSource } from '#libs/drains';
import { BODY_LIMIT, OPEN_BODY_LIMIT } from '#libs/platform';
import { App } from '../kit/app.js';
import type { Request } from '../kit/beginning.js';
import { strainOf } from '../kit/event-loop.js';
import { isFull } from '../kit/faults.js';
import { Person } from '../kit/person.js';
import { newTenant, PASSWORD } from '../kit/tenant.js';
import { MIB, type HostileBody } from './bodies.js';
import { drainBodies } from './drain-bodies.js';
import { operationBodies } from './operation-bodies.js';
import { PlainRequests } from './plain-requests.js';

/** Maximum CPU time of an event-loop tick in milliseconds. */
const MAX_STALL_MS = 250;
/** Maximum memory in bytes that a body may occupy, depending on the limit for decoded bytes. */
const memoryLimit = (decodedBytes: number): number => 20 * MIB + 4 * decodedBytes;
/** Retries, because compilation or another garbage collection can distort a measurement. */
const ATTEMPTS = 3;

/**
 * Selects the bodies. Short runs always send the same ones, so failures come from the change under test. Errors contain
 * the seed.
 */
const SEED = Number(process.env['HOSTILE_SEED'] ?? (isFull ? Date.now() % 2 ** 31 : 1));
/** Number of bodies per operation. Drain sources get twice as many. */
const BODIES = Number(process.env['HOSTILE_BODIES'] ?? (isFull ? 40 : 1));
const TIMEOUT_MS = 180_000 + BODIES * 10_000;
/** Regression cases that are always sent: they block the process or cause endless retries if mishandled. */
const ALWAYS: Partial<Record<DrainSource, readonly string[]>> = {
  'aws-firehose': ['damaged bombs', 'a record of 127 MiB', 'different names'],
  opentelemetry: ['records: a line of open quotes and colons, gzip', 'protobuf: an attribute of empty fields, gzip'],
  json: [
    'an array: a line of open quotes and colons, gzip',
    'lines of arrays in arrays',
    'members of arrays in arrays',
  ],
};

const OPERATIONS = [...PUBLIC_INTERFACE.operations, ...CONSOLE_INTERFACE.operations].filter(
  ({ id, body }) => body !== undefined && id !== 'receiveDrain',
);

let app: App;
let requests: PlainRequests;
beforeAll(async () => {
  app = await App.start();
  const admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  requests = new PlainRequests(app, admin, await newTenant(app, admin, 'Hostile'));
});
afterAll(() => app?.dispose());

it.each(DRAIN_SOURCES)(
  'serves other requests while a drain of %s receives hostile bodies',
  async (source) => {
    const headers = { authorization: `Bearer ${app.accessToken}` };
    for (const body of chosen([...drainBodies(source)], 2 * BODIES, ALWAYS[source])) {
      await withstand({ method: 'POST', url: `/drains/${source}`, headers }, body, DRAIN_LIMITS.documentBytes);
    }
  },
  TIMEOUT_MS,
);

it.each(OPERATIONS)(
  'serves other requests while $id receives hostile bodies',
  async (operation) => {
    const limit = operation.access === 'public' ? OPEN_BODY_LIMIT : BODY_LIMIT;
    const [plain] = requests.bodiesOf(operation);
    for (const body of chosen([...operationBodies(operation, plain, limit)], BODIES)) {
      await withstand(requests.of(operation), body, limit);
    }
  },
  TIMEOUT_MS,
);

/** Selects about `count` bodies by the seed, plus the regression cases. */
function chosen(bodies: readonly HostileBody[], count: number, always: readonly string[] = []): HostileBody[] {
  const step = Math.max(1, Math.floor(bodies.length / count));
  return bodies.filter(({ name }, index) => always.includes(name) || (index + SEED) % step === 0);
}

async function withstand(request: Request, body: HostileBody, decodedBytes: number): Promise<void> {
  const payload = body.bytes();
  const maxBytes = memoryLimit(decodedBytes);
  let failure = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    let [status, text] = [0, ''];
    const { stallMs, bytes } = await strainOf(async () => {
      const headers = { ...request.headers, ...body.headers };
      const answer = await app.nest.inject({ ...request, headers, payload });
      [status, text] = [answer.statusCode, answer.payload.slice(0, 200)];
    }, maxBytes);
    failure = `${body.name}, with HOSTILE_SEED=${SEED}: ${status}, ${Math.round(stallMs)} ms, ${Math.round(bytes / MIB)} MiB\n${text}`;
    // Senders would repeat a 500 forever. 503 is allowed: it asks them to wait.
    if (status === 500) break;
    if (stallMs <= MAX_STALL_MS && bytes <= maxBytes) return;
  }
  throw new Error(failure);
}
