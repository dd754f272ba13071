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

/** Milliseconds of CPU time that a turn of the event loop may take, whatever somebody sends. */
const MAX_STALL_MS = 250;
/** Live memory in bytes that a body may occupy, where so many are decoded at most. */
const memoryLimit = (decodedBytes: number): number => 20 * MIB + 4 * decodedBytes;
/** A compiler or another garbage collection may come in between. */
const ATTEMPTS = 3;

/** Which bodies are chosen. The short form always sends the same ones, so it judges the change only. A failure names the seed. */
const SEED = Number(process.env['HOSTILE_SEED'] ?? (isFull ? Date.now() % 2 ** 31 : 1));
/** Bodies for each operation, and half of those for each drain source. */
const BODIES = Number(process.env['HOSTILE_BODIES'] ?? (isFull ? 40 : 1));
const TIMEOUT_MS = 180_000 + BODIES * 10_000;
/** Bodies that once blocked the process, or made senders repeat them forever. */
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
  'serves others while a drain of %s is sent hostile bodies',
  async (source) => {
    const headers = { authorization: `Bearer ${app.accessToken}` };
    for (const body of chosen([...drainBodies(source)], 2 * BODIES, ALWAYS[source])) {
      await withstand({ method: 'POST', url: `/drains/${source}`, headers }, body, DRAIN_LIMITS.documentBytes);
    }
  },
  TIMEOUT_MS,
);

it.each(OPERATIONS)(
  'serves others while $id is sent hostile bodies',
  async (operation) => {
    const limit = operation.access === 'public' ? OPEN_BODY_LIMIT : BODY_LIMIT;
    const [plain] = requests.bodiesOf(operation);
    for (const body of chosen([...operationBodies(operation, plain, limit)], BODIES)) {
      await withstand(requests.of(operation), body, limit);
    }
  },
  TIMEOUT_MS,
);

/** Returns so many of the bodies, others with each seed, and those that are always sent. */
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
    // A sender would repeat it forever. 503 is for senders that have to wait.
    if (status === 500) break;
    if (stallMs <= MAX_STALL_MS && bytes <= maxBytes) return;
  }
  throw new Error(failure);
}
