import { stripVTControlCharacters } from 'node:util';
import type { EnrichedVisit } from '#libs/contracts';
import { formatVisit, VISIT_HEADER } from './visit-text.js';

function visit(identification: object, request: object = {}): EnrichedVisit {
  return {
    occurred_at: '2026-11-21T08:30:00',
    client_address: '192.0.2.7',
    visit: { request_method: 'GET', request_path: '/a', request_headers: {}, response_status_code: 200, ...request },
    identification: { agent_token: null, agent_type_name: null, ...identification },
  } as EnrichedVisit;
}
const text = (...of: Parameters<typeof visit>): string => stripVTControlCharacters(formatVisit(visit(...of)));

it('aligns the time, verdict, agent, status, client address and request with their labels', () => {
  const agent = { agent_token: 'GPTBot', agent_type_name: 'AI Data Scraper' };
  expect([VISIT_HEADER, text({ ...agent, result: 'verified' })]).toEqual([
    'Time                 Verdict                Agent                               Status  Address          Request',
    '2026-11-21 08:30:00  ✔ verified             GPTBot (AI Data Scraper)            200     192.0.2.7        GET /a',
  ]);
  expect(text({ ...agent, result: 'verification_failed' })).toContain('✖ failed verification  GPTBot');
  expect(text({ ...agent, result: 'not_verifiable' })).toContain('? not verifiable       GPTBot');
});

it("shows an unknown visitor's user agent and escapes control characters", () => {
  const headers = { 'User-Agent': ['curl/8 \u001b[2J'] };
  const line = text(
    { result: 'unknown_agent' },
    { request_headers: headers, request_path: '/\u001b[31m', response_status_code: null },
  );
  expect(line).toContain('· unknown visitor      curl/8 \\x1b[2J');
  expect(line).toContain('-       192.0.2.7        GET /\\x1b[31m');
});
