import * as fc from 'fast-check';
import {
  CONSOLE_INTERFACE,
  listParameters,
  PUBLIC_INTERFACE,
  type InterfaceOperation,
  type Parameter,
} from '#libs/contracts';
import { App } from '../kit/app.js';
import { injectRequest, type InjectedRequest } from '../kit/inject-request.js';
import { measureCostMs, measureCostRatio } from '../kit/cost.js';
import { isFullRun } from '../kit/faults.js';
import { Person } from '../kit/person.js';
import { createTenant, PASSWORD, createOperationUrl, type Tenant } from '../kit/tenant.js';
import { PlainRequests } from './plain-requests.js';
import { listFieldPaths, insertJson } from './samples.js';
import {
  encodeForUrl,
  CURSORS,
  FIELD_VALUES,
  HEADER_NAMES,
  toHeaderValue,
  jsonText,
  MORE_FIELD_VALUES,
  PARAMETER_TEXTS,
  shortText,
} from './values.js';

/**
 * Number of random requests per operation. Short runs always send the same ones, so failures come from the change under
 * test. Setting HOSTILE_SEED to the seed in an error repeats that run.
 */
const RUNS_PER_OPERATION = Number(process.env['HOSTILE_RUNS'] ?? (isFullRun ? 120 : 3));
const SEED = Number(process.env['HOSTILE_SEED'] ?? (isFullRun ? Date.now() % 2 ** 31 : 1));
/**
 * Interval at which known hostile values are tested. With 40, every 40th value for the parameters and fields is tested.
 * The seed determines which ones.
 */
const SAMPLING_INTERVAL = isFullRun ? 1 : 40;
const TIMEOUT_MS = 300_000 + RUNS_PER_OPERATION * 1_000;

/**
 * Maximum cost of a hostile request, as a multiple of a plain request. One plain request to the same operation is allowed
 * on top. A hostile body of 100 kB is hundreds of times larger than a plain one. Quadratic work would cost thousands of
 * times more.
 */
const MAX_RATIO = 150;

/** Operations to test last, because the thousands of large visits they store slow down reads. */
const VISIT_STORING_OPERATIONS = ['recordVisits', 'receiveDrain'];
const OPERATIONS: readonly InterfaceOperation[] = [
  ...PUBLIC_INTERFACE.operations,
  ...CONSOLE_INTERFACE.operations,
].toSorted((one, other) => VISIT_STORING_OPERATIONS.indexOf(one.id) - VISIT_STORING_OPERATIONS.indexOf(other.id));

let app: App;
let admin: Person;
let tenant: Tenant;
let requests: PlainRequests;
/** Cost of {@link MAX_RATIO} plain requests, measured before the tests. Requests that cost more are measured again. */
let suspiciousCost: number;
let sendPlainRequests: () => Promise<void>;

beforeAll(async () => {
  app = await App.start();
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  tenant = await createTenant(app, admin, 'Hostile');
  requests = new PlainRequests(app, admin, tenant);
  for (const request of createHostileVisits()) await injectRequest(app.nest, request);
  const tokensRequest: InjectedRequest = {
    method: 'GET',
    url: `/api/projects/${tenant.id}/tokens`,
    headers: requests.createHeaders('viewer'),
  };
  sendPlainRequests = async () => {
    for (let count = 0; count < MAX_RATIO; count += 1) await injectRequest(app.nest, tokensRequest);
  };
  await sendPlainRequests();
  suspiciousCost = await measureCostMs(sendPlainRequests);
});
afterAll(() => app?.dispose());

it.each(OPERATIONS)(
  '$id handles hostile values without server errors or excessive cost',
  async (operation) => {
    const sendAllowedRequests = async (): Promise<void> => {
      await sendPlainRequests();
      await injectRequest(app.nest, requests.build(operation));
    };
    const maxCost = suspiciousCost + (await measureCostMs(() => injectRequest(app.nest, requests.build(operation))));
    const examples = createKnownRequests(operation).filter((_, index) => (index + SEED) % SAMPLING_INTERVAL === 0);
    await fc.assert(
      fc.asyncProperty(arbitraryRequest(operation), async (request) => {
        let status = 0;
        const sendHostileRequest = async (): Promise<void> =>
          void ({ status } = await injectRequest(app.nest, request));
        const cost = await measureCostMs(sendHostileRequest);
        if (status >= 500) throw new Error(`${status}: ${formatRequest(request)}`);
        if (cost <= maxCost) return;
        const ratio = await measureCostRatio(sendHostileRequest, sendAllowedRequests, 1);
        if (ratio > 1)
          throw new Error(`Costs ${ratio} times as much as ${MAX_RATIO} plain requests: ${formatRequest(request)}`);
      }),
      {
        numRuns: RUNS_PER_OPERATION + examples.length,
        seed: SEED,
        endOnFailure: true,
        examples: examples.map((request): [InjectedRequest] => [request]),
      },
    );
  },
  TIMEOUT_MS,
);

it('reads stored hostile values without server errors', async () => {
  for (const operation of OPERATIONS.filter(({ method, access }) => method === 'get' && access !== 'session')) {
    const { status, text } = await injectRequest(app.nest, requests.build(operation));
    expect([operation.id, status < 500, status < 500 || text]).toEqual([operation.id, true, true]);
  }
});

/** Operations that check an agent against the entire catalog, which is slow. */
const CATALOG_COMPILING_OPERATIONS = new Set(['addAgent', 'changeAgent', 'importAgents']);

function arbitraryRequest(operation: InterfaceOperation): fc.Arbitrary<InjectedRequest> {
  const parameters = listParameters(operation);
  const { body } = operation;
  const header = fc
    .tuple(fc.constantFrom(...HEADER_NAMES), shortText)
    .map(([name, text]) => withParameter(operation, { in: 'header', name }, text));
  const parameterRequests = parameters.map((parameter) =>
    shortText.map((text) => withParameter(operation, parameter, text)),
  );
  if (body === undefined) return fc.oneof(...parameterRequests, header);
  const field = fc
    .tuple(fc.constantFrom(...requests.createBodies(operation)), fc.constantFrom(...listFieldPaths(body)), jsonText)
    .map(([value, path, text]) => withField(operation, value, path, text));
  return fc.oneof(...parameterRequests, header, { weight: 2 + parameterRequests.length, arbitrary: field });
}

function createKnownRequests(operation: InterfaceOperation): InjectedRequest[] {
  const parameters = listParameters(operation);
  const { id, body } = operation;
  const [requiredBody, fullBody] = body === undefined ? [] : requests.createBodies(operation);
  const values = CATALOG_COMPILING_OPERATIONS.has(id) ? FIELD_VALUES : [...FIELD_VALUES, ...MORE_FIELD_VALUES];
  return [
    ...createQueries(parameters).map((query) => withQuery(operation, query)),
    ...parameters.flatMap((parameter) =>
      (parameter.name === 'cursor' ? [...PARAMETER_TEXTS, ...CURSORS] : PARAMETER_TEXTS).map((text) =>
        withParameter(operation, parameter, text),
      ),
    ),
    ...(body === undefined ? [] : [...listFieldPaths(body), ['unknown']]).flatMap((path) => [
      ...values.map((value) => withField(operation, requiredBody!, path, value)),
      ...FIELD_VALUES.map((value) => withField(operation, fullBody!, path, value)),
    ]),
  ];
}

/** Returns hostile visits to record before the tests, so that read operations return them. */
const createHostileVisits = (): InjectedRequest[] =>
  createKnownRequests(OPERATIONS.find(({ id }) => id === VISIT_STORING_OPERATIONS[0])!).filter(
    ({ payload = '' }, index) => index % 10 === 0 && payload.length < 10_000,
  );

/** Returns query strings with unknown, malformed and duplicate parameters. */
const createQueries = (parameters: readonly Parameter[]): string[] =>
  ['__proto__=1', 'constructor=1', '__proto__[x]=1', 'toString=1&toString=2', '%00=1', '=', '&&', '%'].concat(
    parameters.map(({ name }) => `${name}=x&${name}=y`),
  );

function withQuery(operation: InterfaceOperation, query: string): InjectedRequest {
  const request = requests.build(operation);
  return { ...request, url: `${request.url}?${query}` };
}

function withParameter(
  operation: InterfaceOperation,
  { in: location, name }: Pick<Parameter, 'in' | 'name'>,
  text: string,
): InjectedRequest {
  const request = requests.build(operation);
  if (location === 'header')
    return { ...request, headers: { ...request.headers, [name.toLowerCase()]: toHeaderValue(text) } };
  if (location === 'query') return withQuery(operation, `${name}=${encodeForUrl(text)}`);
  return {
    ...request,
    url: createOperationUrl(operation.path, tenant, { token: 'unknown', [name]: encodeForUrl(text) }),
  };
}

const withField = (
  operation: InterfaceOperation,
  value: object,
  path: readonly string[],
  text: string,
): InjectedRequest => ({
  ...requests.build(operation),
  payload: insertJson(value, path, text),
});

const formatRequest = ({ method, url, headers, payload }: InjectedRequest): string =>
  [`${method} ${url}`, JSON.stringify(headers), payload ?? ''].map((part) => part.slice(0, 500)).join('\n');
