import * as fc from 'fast-check';
import {
  CONSOLE_INTERFACE,
  parametersOf,
  PUBLIC_INTERFACE,
  type InterfaceOperation,
  type Parameter,
} from '#libs/contracts';
import { App } from '../kit/app.js';
import { beginningOf, type Request } from '../kit/beginning.js';
import { costOf, costRatio } from '../kit/cost.js';
import { isFull } from '../kit/faults.js';
import { Person } from '../kit/person.js';
import { newTenant, PASSWORD, urlOf, type Tenant } from '../kit/tenant.js';
import { PlainRequests } from './plain-requests.js';
import { fieldsOf, jsonWith } from './samples.js';
import {
  addressText,
  CURSORS,
  FIELD_VALUES,
  HEADERS,
  headerText,
  json,
  MORE_FIELD_VALUES,
  PARAMETER_TEXTS,
  shortText,
} from './values.js';

/** Random requests per operation (HOSTILE_RUNS). HOSTILE_SEED repeats an earlier run. Errors contain the seed. */
const RUNS = Number(process.env['HOSTILE_RUNS'] ?? (isFull ? 120 : 5));
const SEED = Number(process.env['HOSTILE_SEED'] ?? Date.now() % 2 ** 31);
/** Tests one in this many of the known hostile values for each parameter and field, selected by the seed. */
const SHARE = isFull ? 1 : 20;
const TIMEOUT_MS = 60_000 + RUNS * 1_000;

/**
 * Maximum cost of a hostile request in plain requests, in addition to one plain request of the same operation. A hostile
 * body of up to 100 kB is hundreds of times larger than a plain one. Quadratic work would cost thousands.
 */
const MAX_RATIO = 150;

/** These run last, because storing thousands of large visits slows down reads. */
const STORES_VISITS = ['recordVisits', 'receiveDrain'];
const OPERATIONS: readonly InterfaceOperation[] = [
  ...PUBLIC_INTERFACE.operations,
  ...CONSOLE_INTERFACE.operations,
].toSorted((one, other) => STORES_VISITS.indexOf(one.id) - STORES_VISITS.indexOf(other.id));

let app: App;
let admin: Person;
let tenant: Tenant;
let requests: PlainRequests;
/** Initial cost of {@link MAX_RATIO} plain requests. Requests that cost more are measured again. */
let suspicious: number;
let plain: () => Promise<void>;

beforeAll(async () => {
  app = await App.start();
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  tenant = await newTenant(app, admin, 'Hostile');
  requests = new PlainRequests(app, admin, tenant);
  for (const request of hostileVisits()) await beginningOf(app.nest, request);
  const overview: Request = {
    method: 'GET',
    url: `/api/projects/${tenant.id}/tokens`,
    headers: requests.headersOf('viewer'),
  };
  plain = async () => {
    for (let count = 0; count < MAX_RATIO; count += 1) await beginningOf(app.nest, overview);
  };
  await plain();
  suspicious = await costOf(plain);
});
afterAll(() => app?.dispose());

it.each(OPERATIONS)(
  '$id handles any value without server errors or excessive cost',
  async (operation) => {
    const allowed = async (): Promise<void> => {
      await plain();
      await beginningOf(app.nest, requests.of(operation));
    };
    // Allows the cost of a plain request of the same operation in addition.
    const most = suspicious + (await costOf(() => beginningOf(app.nest, requests.of(operation))));
    const examples = knownRequests(operation).filter((_, index) => (index + SEED) % SHARE === 0);
    await fc.assert(
      fc.asyncProperty(hostileRequest(operation), async (request) => {
        let status = 0;
        const ask = async (): Promise<void> => void ({ status } = await beginningOf(app.nest, request));
        const cost = await costOf(ask);
        if (status >= 500) throw new Error(`${status}: ${shown(request)}`);
        if (cost <= most) return;
        const ratio = await costRatio(ask, allowed, 1);
        if (ratio > 1) throw new Error(`${ratio} times what ${MAX_RATIO} plain requests cost: ${shown(request)}`);
      }),
      {
        numRuns: RUNS + examples.length,
        seed: SEED,
        endOnFailure: true,
        examples: examples.map((request): [Request] => [request]),
      },
    );
  },
  TIMEOUT_MS,
);

it('reads the stored values without server errors', async () => {
  for (const operation of OPERATIONS.filter(({ method, access }) => method === 'get' && access !== 'session')) {
    const { status, text } = await beginningOf(app.nest, requests.of(operation));
    expect([operation.id, status < 500, status < 500 || text]).toEqual([operation.id, true, true]);
  }
});

/** Operations that check an agent against all known agents, which is slow. */
const COMPILES_CATALOG = new Set(['addAgent', 'changeAgent', 'importAgents']);

function hostileRequest(operation: InterfaceOperation): fc.Arbitrary<Request> {
  const parameters = parametersOf(operation);
  const { body } = operation;
  const header = fc
    .tuple(fc.constantFrom(...HEADERS), shortText)
    .map(([name, text]) => withParameter(operation, { in: 'header', name }, text));
  const ways = parameters.map((parameter) => shortText.map((text) => withParameter(operation, parameter, text)));
  if (body === undefined) return fc.oneof(...ways, header);
  const field = fc
    .tuple(fc.constantFrom(...requests.bodiesOf(operation)), fc.constantFrom(...fieldsOf(body)), json)
    .map(([value, path, text]) => withField(operation, value, path, text));
  return fc.oneof(...ways, header, { weight: 2 + ways.length, arbitrary: field });
}

function knownRequests(operation: InterfaceOperation): Request[] {
  const parameters = parametersOf(operation);
  const { id, body } = operation;
  const [needed, full] = body === undefined ? [] : requests.bodiesOf(operation);
  const values = COMPILES_CATALOG.has(id) ? FIELD_VALUES : [...FIELD_VALUES, ...MORE_FIELD_VALUES];
  return [
    ...queriesOf(parameters).map((query) => withQuery(operation, query)),
    ...parameters.flatMap((parameter) =>
      (parameter.name === 'cursor' ? [...PARAMETER_TEXTS, ...CURSORS] : PARAMETER_TEXTS).map((text) =>
        withParameter(operation, parameter, text),
      ),
    ),
    ...(body === undefined ? [] : [...fieldsOf(body), ['unknown']]).flatMap((path) => [
      ...values.map((value) => withField(operation, needed!, path, value)),
      ...FIELD_VALUES.map((value) => withField(operation, full!, path, value)),
    ]),
  ];
}

/** Sample of hostile visits, recorded in advance for operations that read. */
const hostileVisits = (): Request[] =>
  knownRequests(OPERATIONS.find(({ id }) => id === STORES_VISITS[0])!).filter(
    ({ payload = '' }, index) => index % 10 === 0 && payload.length < 10_000,
  );

/** Returns queries with unknown or malformed parameters, and with each known parameter twice. */
const queriesOf = (parameters: readonly Parameter[]): string[] =>
  ['__proto__=1', 'constructor=1', '__proto__[x]=1', 'toString=1&toString=2', '%00=1', '=', '&&', '%'].concat(
    parameters.map(({ name }) => `${name}=x&${name}=y`),
  );

function withQuery(operation: InterfaceOperation, query: string): Request {
  const request = requests.of(operation);
  return { ...request, url: `${request.url}?${query}` };
}

function withParameter(
  operation: InterfaceOperation,
  { in: place, name }: Pick<Parameter, 'in' | 'name'>,
  text: string,
): Request {
  const request = requests.of(operation);
  if (place === 'header')
    return { ...request, headers: { ...request.headers, [name.toLowerCase()]: headerText(text) } };
  if (place === 'query') return withQuery(operation, `${name}=${addressText(text)}`);
  return { ...request, url: urlOf(operation.path, tenant, { token: 'unknown', [name]: addressText(text) }) };
}

const withField = (operation: InterfaceOperation, value: object, path: readonly string[], text: string): Request => ({
  ...requests.of(operation),
  payload: jsonWith(value, path, text),
});

const shown = ({ method, url, headers, payload }: Request): string =>
  [`${method} ${url}`, JSON.stringify(headers), payload ?? ''].map((part) => part.slice(0, 500)).join('\n');
