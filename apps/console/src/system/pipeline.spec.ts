import { describePipeline, type PipelineInputs } from './pipeline.js';

type Processes = NonNullable<PipelineInputs['processes']>;
const createProcess = (service: string): Processes[number] => ({ service, state: 'ok', checks: { database: null } });
const SERVICES = ['gateway', 'enrichment', 'ingest'].map(createProcess);
const createSigns = (change: Partial<PipelineInputs> = {}): PipelineInputs => ({
  processes: SERVICES,
  queue: { fault: null },
  waiting: 0,
  ...change,
});
const findFaultyParts = (change: Partial<PipelineInputs>): string[] =>
  describePipeline(createSigns(change)).parts.flatMap(({ part, state, detail }) =>
    state === 'running' ? [] : `${part} ${state}: ${detail}`,
  );

it('reports running if every part is running, and lists parts in the order that visits pass through them', () => {
  const { state, parts } = describePipeline(createSigns());
  expect([state, parts.map(({ part }) => part)]).toEqual([
    'running',
    ['gateway', 'queue', 'enrichment', 'ingest', 'database'],
  ]);
});

it('lists no queue in standalone mode, where one process runs all parts', () => {
  const { state, parts } = describePipeline(createSigns({ processes: [createProcess('agent-traffic')], queue: null }));
  expect([state, parts.map(({ part }) => part)]).toEqual(['running', ['gateway', 'enrichment', 'ingest', 'database']]);
});

it('reports a part as down if its processes are missing, silent or unavailable', () => {
  expect(findFaultyParts({ processes: SERVICES.slice(0, 2) })).toEqual([
    'ingest down: No process has reported recently.',
  ]);
  const silent = [...SERVICES.slice(1), { ...createProcess('gateway'), state: 'silent' as const }];
  expect(findFaultyParts({ processes: silent })).toEqual(['gateway down: No process has reported recently.']);
  const unavailable: Processes = [
    ...SERVICES.slice(0, 2),
    { service: 'ingest', state: 'unavailable', checks: { database: 'connect ECONNREFUSED 10.0.0.7:5432', bus: 'x' } },
  ];
  expect(findFaultyParts({ processes: unavailable })).toEqual([
    'ingest down: Unavailable without PostgreSQL and the queue.',
  ]);
  expect(describePipeline(createSigns({ processes: unavailable })).state).toBe('down');
});

it('reports a part as degraded if only some processes work, and ignores silent processes next to running ones', () => {
  const unavailable: Processes = [...SERVICES, { service: 'ingest', state: 'unavailable', checks: {} }];
  expect(findFaultyParts({ processes: unavailable })).toEqual(['ingest degraded: 1 of 2 processes are unavailable.']);
  const degraded: Processes = [
    ...SERVICES.slice(1),
    { ...createProcess('gateway'), state: 'degraded', checks: { redis: 'away' } },
  ];
  expect(findFaultyParts({ processes: degraded })).toEqual(['gateway degraded: Running without Redis.']);
  expect(findFaultyParts({ processes: [...SERVICES, { ...createProcess('ingest'), state: 'silent' }] })).toEqual([]);
  // The number of topic replicas is the operator's choice.
  const topics: Processes = [
    ...SERVICES.slice(1),
    { ...createProcess('gateway'), state: 'degraded', checks: { topics: '1 copy' } },
  ];
  expect(findFaultyParts({ processes: topics })).toEqual([]);
});

it("reports the queue's state and the number of waiting reports", () => {
  expect(findFaultyParts({ queue: { fault: 'kafka-1.internal:9092 is away' }, waiting: 1_200 })).toEqual([
    'queue down: Not responding. 1,200 reports are waiting to be processed.',
  ]);
  expect(findFaultyParts({ waiting: 3 })[0]).toMatch(/^queue degraded: Catching up .* 3 reports/);
});

it("reports a database that doesn't respond", () => {
  expect(describePipeline(createSigns({ processes: null, queue: null }))).toEqual({
    state: 'down',
    parts: [{ part: 'database', state: 'down', detail: 'PostgreSQL is not responding.' }],
  });
});
