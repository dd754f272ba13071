import { TEST_AGENT, TEST_AGENT_ID } from '#libs/catalog';
import type { EnrichedVisit } from '#libs/contracts';
import type { ProjectSettings } from '#libs/enrichment';
import { toIdentificationRequest } from './apply-reidentification.js';

const AT = '2026-11-20T12:00:00.000Z';
const PATH = '/a?agent-traffic-test=0123456789abcdef01234567-0';
const createStored = (path: string, agentId: string, parts: Partial<EnrichedVisit> = {}): EnrichedVisit =>
  ({
    visit: { request_path: path, request_method: 'GET', request_headers: { 'User-Agent': 'GPTBot', accept: '*/*' } },
    identification: { agent_id: agentId, evidence: {} },
    occurred_at: AT,
    received_at: AT,
    client_address: null,
    ...parts,
  }) as EnrichedVisit;
const readHeaders = (stored: EnrichedVisit) => toIdentificationRequest(stored, {} as ProjectSettings).headers;

describe('toIdentificationRequest', () => {
  it('identifies visits that prove a policy as the test agent again', () => {
    const expected = { 'user-agent': TEST_AGENT.userAgent, accept: '*/*' };
    expect(readHeaders(createStored(PATH, TEST_AGENT_ID))).toEqual(expected);
    const earlier = { identification: createStored(PATH, TEST_AGENT_ID).identification };
    const reidentified = { at: AT, earlier };
    expect(readHeaders(createStored(PATH, 'gptbot', { reidentified }))).toEqual(expected);
  });

  it('uses the headers of all other visits', () => {
    const expected = { 'User-Agent': 'GPTBot', accept: '*/*' };
    expect(readHeaders(createStored(PATH, 'gptbot'))).toEqual(expected);
    expect(readHeaders(createStored('/a', TEST_AGENT_ID))).toEqual(expected);
  });
});
