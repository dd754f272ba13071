import { pipelineOf, type PipelineSigns } from './pipeline.js';

type Processes = NonNullable<PipelineSigns['processes']>;
const ok = (service: string): Processes[number] => ({ service, state: 'ok', checks: { database: null } });
const SERVICES = ['gateway', 'enrichment', 'ingest'].map(ok);
const signs = (change: Partial<PipelineSigns> = {}): PipelineSigns => ({
  processes: SERVICES,
  queue: { fault: null },
  waiting: 0,
  ...change,
});
const faulty = (change: Partial<PipelineSigns>): string[] =>
  pipelineOf(signs(change)).parts.flatMap(({ part, state, detail }) =>
    state === 'running' ? [] : `${part} ${state}: ${detail}`,
  );

it('is running if every part is, and lists parts in the order a visit passes them', () => {
  const { state, parts } = pipelineOf(signs());
  expect([state, parts.map(({ part }) => part)]).toEqual([
    'running',
    ['gateway', 'queue', 'enrichment', 'ingest', 'database'],
  ]);
});

it('has no queue, and one process for all parts, in a standalone instance', () => {
  const { state, parts } = pipelineOf(signs({ processes: [ok('agent-traffic')], queue: null }));
  expect([state, parts.map(({ part }) => part)]).toEqual(['running', ['gateway', 'enrichment', 'ingest', 'database']]);
});

it('is down if a part is missing, silent or unavailable', () => {
  expect(faulty({ processes: SERVICES.slice(0, 2) })).toEqual(['ingest down: No process has reported recently.']);
  const silent = [...SERVICES.slice(1), { ...ok('gateway'), state: 'silent' as const }];
  expect(faulty({ processes: silent })).toEqual(['gateway down: No process has reported recently.']);
  const unable: Processes = [
    ...SERVICES.slice(0, 2),
    { service: 'ingest', state: 'unavailable', checks: { database: 'connect ECONNREFUSED 10.0.0.7:5432', bus: 'x' } },
  ];
  expect(faulty({ processes: unable })).toEqual(['ingest down: Unavailable without PostgreSQL and the queue.']);
  expect(pipelineOf(signs({ processes: unable })).state).toBe('down');
});

it('is degraded if only some processes work, and ignores silent ones next to running ones', () => {
  const unable: Processes = [...SERVICES, { service: 'ingest', state: 'unavailable', checks: {} }];
  expect(faulty({ processes: unable })).toEqual(['ingest degraded: 1 of 2 processes are unavailable.']);
  const lacking: Processes = [...SERVICES.slice(1), { ...ok('gateway'), state: 'degraded', checks: { redis: 'away' } }];
  expect(faulty({ processes: lacking })).toEqual(['gateway degraded: Running without Redis.']);
  expect(faulty({ processes: [...SERVICES, { ...ok('ingest'), state: 'silent' }] })).toEqual([]);
  // The number of topic replicas is the operator's choice.
  const topics: Processes = [
    ...SERVICES.slice(1),
    { ...ok('gateway'), state: 'degraded', checks: { topics: '1 copy' } },
  ];
  expect(faulty({ processes: topics })).toEqual([]);
});

it('reports the state of the queue and the number of waiting reports', () => {
  expect(faulty({ queue: { fault: 'kafka-1.internal:9092 is away' }, waiting: 1_200 })).toEqual([
    'queue down: Not responding. 1,200 reports are kept until then.',
  ]);
  expect(faulty({ waiting: 3 })[0]).toMatch(/^queue degraded: Catching up .* 3 reports/);
});

it("reports a database that doesn't respond", () => {
  expect(pipelineOf(signs({ processes: null, queue: null }))).toEqual({
    state: 'down',
    parts: [{ part: 'database', state: 'down', detail: 'PostgreSQL is not responding.' }],
  });
});
