import { ENRICHED_VISITS, getEnrichedKey } from '#libs/bus';
import { findDeviations } from '../../../../test/kit/async-api.js';
import { createBundledIdentifier } from '../../../../test/kit/identifier.js';
import {
  EXAMPLE_VISIT,
  createBatchId,
  validator,
  createVisitId,
  EnrichedVisitSchema,
  type EnrichedVisit,
  type Visit,
} from '#libs/contracts';
import { enrich, identificationRequest } from './enrich.step.js';

const receivedAt = Date.parse('2026-11-21T08:00:00.250Z');
const id = createBatchId(receivedAt);
const batch = {
  projectId: '019a0000-0000-7000-8000-000000000000',
  receivedAt,
  receivedAtText: '2026-11-21T08:00:00.250Z',
};
const enrichedMessage = (visit: EnrichedVisit, traceparent: string | null = null) =>
  ENRICHED_VISITS.encode({ visit, key: getEnrichedKey(visit, id), traceparent, bytes: 0 });
const visit = (extra: object): Visit =>
  ({ request_path: '/', request_method: 'GET', request_headers: {}, ...extra }) as Visit;
const identifier = createBundledIdentifier(undefined, () => receivedAt + 1_000);
const enrichVisit = (extra: object, trustedProxies = {}) => {
  const visitToEnrich = visit(extra);
  const request = identificationRequest(visitToEnrich, batch, { trustedProxies, hostNames: [] });
  const identified = identifier.identifyImmediately(request);
  return enrich(batch, createVisitId(id, 3), visitToEnrich, request.at, identified!);
};

describe('enrich', () => {
  it('returns an enriched visit that conforms to the schema', () => {
    const enrichedVisit = enrichVisit({
      request_headers: { 'User-Agent': 'GPTBot/1.2', 'X-Forwarded-For': '198.51.100.4' },
    });
    expect(validator(EnrichedVisitSchema).faults(enrichedVisit)).toEqual([]);
    expect(enrichedVisit).toMatchObject({
      received_at: '2026-11-21T08:00:00.250Z',
      occurred_at: '2026-11-21T08:00:00.250Z',
      client_address: '198.51.100.4',
      identification: { result: 'not_verifiable', agent_token: 'GPTBot', operator_name: 'OpenAI' },
    });
    expect(enrichedVisit.id.endsWith('3')).toBe(true);
  });

  it.each([
    ['2015-05-17T10:05:03Z', '2015-05-17T10:05:03.000Z'],
    ['2026-11-21T08:00:00.251Z', '2026-11-21T08:00:00.250Z'],
    [null, '2026-11-21T08:00:00.250Z'],
  ])('maps a creation time of %p to an occurrence time of %s', (created, occurredAt) => {
    expect(enrichVisit({ created }).occurred_at).toBe(occurredAt);
  });

  it("respects the project's trusted proxies", () => {
    const request_headers = { 'x-forwarded-for': '198.51.100.4' };
    expect(enrichVisit({ request_headers }, { mode: 'none' }).client_address).toBeNull();
  });
});

describe('ENRICHED_VISITS.encode', () => {
  it('produces a CloudEvent keyed by project and client address', () => {
    const enrichedVisit = enrichVisit({ request_headers: { 'x-forwarded-for': '198.51.100.4' } });
    const message = enrichedMessage(enrichedVisit, '00-trace');
    expect(message.key).toBe(`${batch.projectId}:198.51.100.4`);
    expect(message.headers).toEqual({
      ce_specversion: '1.0',
      ce_type: 'agent-traffic.visit.enriched.v1',
      ce_source: `/projects/${batch.projectId}`,
      ce_id: enrichedVisit.id,
      ce_time: enrichedVisit.occurred_at,
      'content-type': 'application/json',
      traceparent: '00-trace',
    });
    expect(JSON.parse(message.value.toString())).toEqual(enrichedVisit);
    expect(enrichedMessage(enrichVisit({})).key).toBe(id);
  });

  it('conforms to the AsyncAPI document', () => {
    const enrichedVisit = enrichVisit(EXAMPLE_VISIT.visit);
    const message = enrichedMessage(enrichedVisit, '00-trace');
    expect(findDeviations(message)).toEqual([]);
    expect(findDeviations(enrichedMessage(enrichVisit({ created: null })))).toEqual([]);
    const { ce_id: _, ...headers } = message.headers;
    expect(findDeviations({ ...message, headers })).toEqual([expect.stringContaining("'ce_id'")]);
    expect(findDeviations({ ...message, headers: { ...message.headers, new: '' } })).toEqual(["new isn't documented"]);
    const value = Buffer.from(JSON.stringify({ ...enrichedVisit, id: 1 }));
    expect(findDeviations({ ...message, value })).toEqual([expect.stringContaining('/id must be string')]);
  });

  it('returns the same shape as the documented example', () => {
    const enrichedVisit = enrichVisit(EXAMPLE_VISIT.visit);
    const steps = (visitToEnrich: EnrichedVisit) =>
      (visitToEnrich.identification.evidence as { steps: object[] }).steps.map(Object.keys);
    expect(steps(enrichedVisit)).toEqual(steps(EXAMPLE_VISIT));
    const shape = ({ identification, ...visit }: EnrichedVisit) =>
      [visit, identification, identification.evidence].map((part) => Object.keys(part));
    expect(shape(enrichedVisit)).toEqual(shape(EXAMPLE_VISIT));
  });
});
