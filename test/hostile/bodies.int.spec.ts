import { CONSOLE_INTERFACE, DRAIN_LIMITS, PUBLIC_INTERFACE } from '#libs/contracts';
import { DRAIN_SOURCES, type DrainSource } from '#libs/drains';
import { MAX_BODY_BYTES, MAX_OPEN_BODY_BYTES } from '#libs/platform';
import { App } from '../kit/app.js';
import type { InjectedRequest } from '../kit/inject-request.js';
import { isFullRun } from '../kit/faults.js';
import { Person } from '../kit/person.js';
import { createTenant, PASSWORD } from '../kit/tenant.js';
import type { HostileBody } from './bodies.js';
import { drainBodies } from './drain-bodies.js';
import { createOperationBodies } from './operation-bodies.js';
import { PlainRequests } from './plain-requests.js';
import { expectWithstands, memoryLimit } from './withstand.js';

/**
 * Seed that selects the bodies. Short runs always send the same bodies, so failures come from the change under test.
 * Errors include the seed.
 */
const SEED = Number(process.env['HOSTILE_SEED'] ?? (isFullRun ? Date.now() % 2 ** 31 : 1));
/** Number of bodies per operation. In full runs, drain sources receive twice as many. */
const BODY_COUNT = Number(process.env['HOSTILE_BODIES'] ?? (isFullRun ? 40 : 1));
const DRAIN_BODY_COUNT = isFullRun ? 2 * BODY_COUNT : BODY_COUNT;
const TIMEOUT_MS = 180_000 + BODY_COUNT * 10_000;
/**
 * Regression cases that are always sent. If they aren't handled correctly, they block the process or cause endless
 * retries.
 */
const REGRESSION_CASES: Partial<Record<DrainSource, readonly string[]>> = {
  'aws-firehose': ['damaged bombs', 'a record of 127 MiB', 'different names', 'events that are not JSON, gzip'],
  opentelemetry: ['records: a line of open quotes and colons, gzip', 'protobuf: an attribute of empty fields, gzip'],
  json: [
    'an array: a line of open quotes and colons, gzip',
    'lines of arrays in arrays',
    'members of arrays in arrays',
    'octet counts over the limit',
    'counted, then NUL bytes',
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
  requests = new PlainRequests(app, admin, await createTenant(app, admin, 'Hostile'));
});
afterAll(() => app?.dispose());

it.each(DRAIN_SOURCES)(
  'serves other requests while a %s drain receives hostile bodies',
  async (source) => {
    const headers = { authorization: `Bearer ${app.accessToken}` };
    for (const body of selectBodies([...drainBodies(source)], DRAIN_BODY_COUNT, REGRESSION_CASES[source])) {
      await expectBodyWithstands(
        { method: 'POST', url: `/drains/${source}`, headers },
        body,
        DRAIN_LIMITS.documentBytes,
      );
    }
  },
  TIMEOUT_MS,
);

it.each(OPERATIONS)(
  'serves other requests while $id receives hostile bodies',
  async (operation) => {
    const limit = operation.access === 'public' ? MAX_OPEN_BODY_BYTES : MAX_BODY_BYTES;
    const [plain] = requests.createBodies(operation);
    for (const body of selectBodies([...createOperationBodies(operation, plain, limit)], BODY_COUNT)) {
      await expectBodyWithstands(requests.build(operation), body, limit);
    }
  },
  TIMEOUT_MS,
);

/** Selects about `count` bodies based on the seed, plus the regression cases. */
function selectBodies(bodies: readonly HostileBody[], count: number, always: readonly string[] = []): HostileBody[] {
  const step = Math.max(1, Math.floor(bodies.length / count));
  return bodies.filter(({ name }, index) => always.includes(name) || (index + SEED) % step === 0);
}

async function expectBodyWithstands(request: InjectedRequest, body: HostileBody, decodedBytes: number): Promise<void> {
  const payload = body.bytes();
  const headers = { ...request.headers, ...body.headers };
  await expectWithstands(`${body.name}, with HOSTILE_SEED=${SEED}`, memoryLimit(decodedBytes), () =>
    app.nest.inject({ ...request, headers, payload }),
  );
}
