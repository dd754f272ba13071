import { ENRICHED_VISITS, enrichedKey } from '#libs/bus';
import { undocumented } from '../../../../test/kit/async-api.js';
import { bundledIdentifier } from '../../../../test/kit/identifier.js';
import {
  EXAMPLE_VISIT,
  newBatchId,
  validator,
  visitId,
  EnrichedVisitSchema,
  type EnrichedVisit,
  type Visit,
} from '#libs/contracts';
import { enrich, identificationRequest } from './enrich.step.js';

const receivedAt = Date.parse('2026-11-21T08:00:00.250Z');
const id = newBatchId(receivedAt);
const batch = {
  projectId: '019a0000-0000-7000-8000-000000000000',
  receivedAt,
  receivedAtText: '2026-11-21T08:00:00.250Z',
};
const enrichedMessage = (visit: EnrichedVisit, traceparent: string | null = null) =>
  ENRICHED_VISITS.encode({ visit, key: enrichedKey(visit, id), traceparent, bytes: 0 });
const visit = (extra: object): Visit =>
  ({ request_path: '/', request_method: 'GET', request_headers: {}, ...extra }) as Visit;
const identifier = bundledIdentifier(undefined, () => receivedAt + 1_000);
const enriched = (extra: object, trustedProxies = {}) => {
  const one = visit(extra);
  const answer = identifier.identifyImmediately(identificationRequest(one, batch, { trustedProxies, hostNames: [] }));
  return enrich(batch, visitId(id, 3), one, answer!);
};

describe('enrich', () => {
  it('creates an enriched visit that conforms to the contract', () => {
    const made = enriched({ request_headers: { 'User-Agent': 'GPTBot/1.2', 'X-Forwarded-For': '198.51.100.4' } });
    expect(validator(EnrichedVisitSchema).faults(made)).toEqual([]);
    expect(made).toMatchObject({
      received_at: '2026-11-21T08:00:00.250Z',
      occurred_at: '2026-11-21T08:00:00.250Z',
      client_address: '198.51.100.4',
      identification: { result: 'not_verifiable', agent_token: 'GPTBot', operator_name: 'OpenAI' },
    });
    expect(made.id.endsWith('3')).toBe(true);
  });

  it.each([
    ['2015-05-17T10:05:03Z', '2015-05-17T10:05:03.000Z'],
    ['2026-11-21T08:00:00.251Z', '2026-11-21T08:00:00.250Z'],
    [null, '2026-11-21T08:00:00.250Z'],
  ])('maps a creation time of %p to %s', (created, occurredAt) => {
    expect(enriched({ created }).occurred_at).toBe(occurredAt);
  });

  it("respects the project's trusted proxies", () => {
    const request_headers = { 'x-forwarded-for': '198.51.100.4' };
    expect(enriched({ request_headers }, { mode: 'none' }).client_address).toBeNull();
  });
});

describe('ENRICHED_VISITS.encode', () => {
  it('creates a CloudEvent keyed by project and client', () => {
    const made = enriched({ request_headers: { 'x-forwarded-for': '198.51.100.4' } });
    const message = enrichedMessage(made, '00-trace');
    expect(message.key).toBe(`${batch.projectId}:198.51.100.4`);
    expect(message.headers).toEqual({
      ce_specversion: '1.0',
      ce_type: 'agent-traffic.visit.enriched.v1',
      ce_source: `/projects/${batch.projectId}`,
      ce_id: made.id,
      ce_time: made.occurred_at,
      'content-type': 'application/json',
      traceparent: '00-trace',
    });
    expect(JSON.parse(message.value.toString())).toEqual(made);
    expect(enrichedMessage(enriched({})).key).toBe(id);
  });

  it('conforms to the AsyncAPI document', () => {
    const made = enriched(EXAMPLE_VISIT.visit);
    const message = enrichedMessage(made, '00-trace');
    expect(undocumented(message)).toEqual([]);
    expect(undocumented(enrichedMessage(enriched({ created: null })))).toEqual([]);
    const { ce_id: _, ...headers } = message.headers;
    expect(undocumented({ ...message, headers })).toEqual([expect.stringContaining("'ce_id'")]);
    expect(undocumented({ ...message, headers: { ...message.headers, new: '' } })).toEqual(['new is not described']);
    const value = Buffer.from(JSON.stringify({ ...made, id: 1 }));
    expect(undocumented({ ...message, value })).toEqual([expect.stringContaining('/id must be string')]);
  });

  it('returns the same shape as the documented example', () => {
    const made = enriched(EXAMPLE_VISIT.visit);
    const steps = (one: EnrichedVisit) => (one.identification.evidence as { steps: object[] }).steps.map(Object.keys);
    expect(steps(made)).toEqual(steps(EXAMPLE_VISIT));
    const shape = ({ identification, ...visit }: EnrichedVisit) =>
      [visit, identification, identification.evidence].map((part) => Object.keys(part));
    expect(shape(made)).toEqual(shape(EXAMPLE_VISIT));
  });
});
