import type { Visit } from '../../api/client.js';
import { describeVisit } from './describe-visit.js';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

const ADDRESS = '203.0.113.7';

const describeAgent = (identification: object): string =>
  describeVisit(
    {
      client_address: ADDRESS,
      occurred_at: '2026-12-01T00:00:00.000Z',
      visit: { request_headers: {} },
      identification: {
        agent_token: 'Googlebot',
        operator_name: 'Google',
        reason: null,
        evidence: {},
        ...identification,
      },
    } as unknown as Visit,
    'UTC',
  );

const describeUnknown = (userAgent: string | undefined, verdict?: string): string =>
  describeVisit(
    {
      visit: { request_headers: userAgent === undefined ? {} : { 'user-agent': userAgent } },
      identification: { result: 'unknown_agent', agent_token: null },
      ...(verdict !== undefined && { automation: { verdict, signs: [] } }),
    } as unknown as Visit,
    'UTC',
  );

const step = (method: string, fields: object) => ({ method, evidence: { steps: [{ method, ...fields }] } });

describe('the sentence about a visit', () => {
  it.each([
    [
      { result: 'verified', ...step('reverse_dns', { confirmed_host_name: 'crawl.googlebot.com' }) },
      `This is Googlebot: the host name of ${ADDRESS}, crawl.googlebot.com, is Google’s and resolves back to it.`,
    ],
    [{ result: 'verified', ...step('ip_range', {}) }, `This is Googlebot: ${ADDRESS} is in Google’s published ranges.`],
    [
      { result: 'verified', ...step('ip_range', { as_of: '2026-11-30T00:00:00.000Z' }) },
      `This is Googlebot: ${ADDRESS} is in Google’s published ranges.`,
    ],
    [
      { result: 'verified', ...step('ip_range', { as_of: '2026-09-02T00:00:00.000Z' }) },
      `This is Googlebot: ${ADDRESS} is in Google’s published ranges as of Sep 2, 2026.`,
    ],
    [
      { result: 'verified', ...step('http_message_signature', {}), operator_name: null },
      'This is Googlebot: the request is signed with one of its operator’s keys.',
    ],
    [
      { result: 'verification_failed', reason: 'no_host_name' },
      `Claims to be Googlebot, but its address, ${ADDRESS}, isn’t Google’s: it has no host name.`,
    ],
    [
      {
        result: 'verification_failed',
        reason: 'host_name_not_listed',
        ...step('reverse_dns', { host_names: ['host.example'] }),
      },
      `Claims to be Googlebot, but its address, ${ADDRESS}, isn’t Google’s: its host name is host.example.`,
    ],
    [{ result: 'verification_failed', reason: 'expired' }, 'Claims to be Googlebot, but its signature had expired.'],
    [
      { result: 'verification_failed', reason: 'bad_signature' },
      'Claims to be Googlebot, but failed verification. The signature does not match the request: it is forged, or the request was modified.',
    ],
    [
      { result: 'not_verifiable', reason: 'list_too_old', ...step('ip_range', { as_of: '2026-09-02T00:00:00.000Z' }) },
      `Claims to be Googlebot, but we can’t tell: ${ADDRESS} isn’t in Google’s published ranges, but our copy of them is from Sep 2, 2026.`,
    ],
    [
      { result: 'not_verifiable', reason: 'no_method' },
      'Claims to be Googlebot, but the catalog contains no way to verify it.',
    ],
    [
      { result: 'not_verifiable', reason: 'dns_timeout' },
      'Claims to be Googlebot, but we couldn’t confirm it or rule it out. The DNS query timed out.',
    ],
  ])('gives the verdict and its reason: %j', (identification, sentence) =>
    expect(describeAgent(identification)).toBe(sentence),
  );

  it.each([
    [CHROME, 'unlikely', 'Chrome on Windows, with no signs of automation.'],
    ['pricewatch-sync/4.1', 'likely', 'pricewatch-sync, which is probably automated.'],
    ['Mozilla/5.0', undefined, 'An unknown visitor. It matches no agent in the catalog.'],
    [undefined, 'likely', 'A visitor without a user agent, which is probably automated.'],
  ])('names the browser or program of unknown visitors: %s', (userAgent, verdict, sentence) =>
    expect(describeUnknown(userAgent, verdict)).toBe(sentence),
  );
});
