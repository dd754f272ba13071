import { jest } from '@jest/globals';
import type { EnrichedVisit, Project } from '#libs/contracts';
import type { InstanceClient } from './client.js';
import type { RequestInput } from './operation-types.js';
import { tailVisits } from './visit-tail.js';
import { VISIT_HEADER } from './visit-text.js';

const visit = (id: string, agent_token: string | null = null, result = 'verified'): EnrichedVisit =>
  ({ id, received_at: '2999-01-01', identification: { agent_token, agent_id: `id-${id}`, result } }) as EnrichedVisit;

const event = (item: EnrichedVisit, id = item.id): string =>
  `event: visit\nid: ${id}\ndata: ${JSON.stringify(item)}\n\n`;

let printed: string[];
beforeEach(() => {
  printed = [];
  jest.spyOn(console, 'log').mockImplementation((text: string) => {
    printed.push((JSON.parse(text) as EnrichedVisit).id);
  });
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => jest.restoreAllMocks());

/** Tails a fake instance with the given lists of latest visits and streams. The tail ends after the last stream. */
function tail(latest: EnrichedVisit[][], streams: string[], options: Partial<Parameters<typeof tailVisits>[2]> = {}) {
  const controller = new AbortController();
  const resumedFrom: (string | undefined)[] = [];
  const requests: unknown[] = [];
  const client = {
    get: async (path: string, { params }: RequestInput) => {
      requests.push({ path, params });
      return { visits: latest.shift() ?? [] };
    },
    stream: async (path: string, _options: object, { params }: RequestInput) => {
      const { header, ...rest } = params!;
      requests.push({ path, params: rest });
      resumedFrom.push(header?.['last-event-id']);
      const text = streams.shift();
      if (text === undefined) controller.abort();
      return (async function* () {
        yield Buffer.from(text ?? '');
      })();
    },
  } as unknown as InstanceClient;
  const project = { id: 'p' } as Project;
  const all = { filters: {}, last: 10, json: true, ...options };
  return { resumedFrom, asked: requests, ended: tailVisits(client, project, all, controller.signal) };
}

it('prints the latest visits once each, oldest first', async () => {
  const { ended } = tail([[visit('c'), visit('b'), visit('a')]], [event(visit('c')) + event(visit('d'))]);
  await ended;
  expect(printed).toEqual(['a', 'b', 'c', 'd']);
});

it('resumes after the last event when the connection is lost, or catches up from the visit list', async () => {
  const resumed = tail([], [event(visit('a'), '17'), event(visit('b'))], { last: 0 });
  await resumed.ended;
  expect(resumed.resumedFrom.slice(0, 2)).toEqual([undefined, '17']);
  const caughtUp = tail([[visit('x')], [visit('z'), visit('y'), visit('x')]], [': hi\n\n', event(visit('z'))]);
  await caughtUp.ended;
  expect(printed).toEqual(['a', 'b', 'x', 'y', 'z']);
});

it('labels the columns on standard error, unless it prints JSON', async () => {
  const notes = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  await tail([], [], { last: 0 }).ended;
  expect(notes).not.toHaveBeenCalledWith(VISIT_HEADER);
  await tail([], [], { last: 0, json: false }).ended;
  expect(notes).toHaveBeenCalledWith(VISIT_HEADER);
});

it('applies the same filters to the visit list and the visit stream', async () => {
  const filters = { agent: ['GPTBot', 'CCBot'], path: ['/shop'] };
  const { asked: requests, ended } = tail([], [event(visit('a'))], { filters });
  await ended;
  expect(requests.slice(0, 2)).toEqual([
    { path: '/api/projects/{id}/visits/stream', params: { path: { id: 'p' }, query: filters } },
    { path: '/api/projects/{id}/visits', params: { path: { id: 'p' }, query: { ...filters, limit: 10 } } },
  ]);
});
