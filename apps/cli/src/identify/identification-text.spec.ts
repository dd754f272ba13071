import { stripVTControlCharacters } from 'node:util';
import type { IdentificationResponse } from './identification-response.js';
import { renderIdentification, wrapText } from './identification-text.js';

const NOW = Date.parse('2026-11-22T08:30:00');

function createResponse(identification: object, evidence: object = {}, address: string | null = '66.249.66.1') {
  return {
    client_address: address,
    identification: {
      result: 'verified',
      agent_id: 'd71f20a7-654a-5091-93d7-c783f37c5200',
      agent_token: 'Googlebot',
      agent_url: 'https://developers.google.com/bot',
      agent_type_name: 'Search Engine Crawler',
      operator_name: 'Google',
      method: 'ip_range',
      reason: null,
      catalog_version: '0123456789abcdef',
      evidence: {
        user_agent_match: 'Googlebot',
        user_agent_token: 'Googlebot',
        client_address_source: 'x-forwarded-for',
        client_address_reason: 'forwarded_list',
        steps: [],
        ...evidence,
      },
      ...identification,
    },
  } as IdentificationResponse;
}
const text = (...of: Parameters<typeof createResponse>): string =>
  stripVTControlCharacters(renderIdentification(createResponse(...of), NOW));

const signature = {
  method: 'http_message_signature',
  outcome: 'invalid',
  reason: 'expired',
  label: 'sig1',
  key_id: 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  algorithm: 'ed25519',
  signature_agent: 'https://agent.example',
  directory_url: 'https://agent.example/.well-known/http-message-signatures-directory',
  agent_token: 'Googlebot',
  created: '2026-11-22T08:20:00',
  expires: '2026-11-22T08:31:30',
  covered_components: ['"@authority"', '"signature-agent"'],
};

it("shows the published range that contains an unknown visitor's address", () => {
  const origin = {
    agent_token: 'Googlebot',
    operator_name: 'Google',
    range: '66.249.66.0/27',
    list_url: 'https://developers.google.com/list.json',
    as_of: '2026-11-20T08:30:00',
  };
  const unknown = { result: 'unknown_agent', agent_id: null, agent_token: null, method: null, reason: null };
  const shown = text(unknown, { user_agent_match: null, user_agent_token: null, address_origin: origin });
  expect(shown.replaceAll(/\s+/g, ' ')).toContain(
    'Origin a range published for Googlebot, 66.249.66.0/27, at https://developers.google.com/list.json (2 days ago); not proof of identity, because the visitor names no agent',
  );
  expect(text(unknown)).not.toContain('Origin');
});

it('renders the verdict, the agent, the address and all steps in order', () => {
  const range = { method: 'ip_range', outcome: 'pass', reason: 'ok', range: '66.249.64.0/19' };
  const steps = [
    signature,
    { ...range, list_url: 'https://developers.google.com/list.json', as_of: '2026-11-20T08:30:00' },
    {
      method: 'reverse_dns',
      outcome: 'pass',
      reason: 'ok',
      host_names: ['crawl.googlebot.com', 'other.example'],
      confirmed_host_name: 'crawl.googlebot.com',
    },
  ];
  expect(text({}, { steps })).toBe(
    `✔ verified  Googlebot

Type        Search Engine Crawler
Operator    Google
About       https://developers.google.com/bot
Claims      Googlebot ("Googlebot" in the User-Agent)
Address     66.249.66.1 (x-forwarded-for: the rightmost entry that is not a
            trusted proxy)
Why         Verified by published addresses.

Evidence
 1. ✖ signature: failed
     The signature had expired.
     label            sig1
     signature-agent  https://agent.example
     directory        https://agent.example/.well-known/http-message-signatures-directory
     of agent         Googlebot
     key              poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U (ed25519)
     created          2026-11-22 08:20:00 (10 minutes ago)
     expires          2026-11-22 08:31:30 (in 2 minutes)
     covers           "@authority" "signature-agent"
 2. ✔ published addresses: passed
     The address is in the operator's published ranges.
     range            66.249.64.0/19
     list             https://developers.google.com/list.json
     as of            2026-11-20 08:30:00 (2 days ago)
 3. ✔ reverse DNS: passed
     The address has one of the operator's host names, which resolves back to
     it.
     PTR              66.249.66.1 → crawl.googlebot.com
     forward          crawl.googlebot.com → 66.249.66.1
     also             66.249.66.1 → other.example

Catalog     0123456789abcdef`,
  );
});

it('explains why verification failed and what to do next', () => {
  const failed = text({ result: 'verification_failed', method: null, reason: 'expired' }, { steps: [signature] });
  expect(failed).toMatch(/^✖ failed verification {2}Googlebot\n/);
  expect(failed).toContain('\nWhy         The signature had expired.\n');
  expect(failed).toContain('\nNext        Signatures expire within minutes');

  const unmethodical = text({ result: 'not_verifiable', method: null, reason: 'no_method' });
  expect(unmethodical).toContain('\nWhy         The catalog contains no way to verify this agent.\n');
  expect(unmethodical).toContain('Evidence\n  Nothing was checked.\n');
  expect(unmethodical).toMatch(/add it to the catalog:\n {2}agent-traffic agents edit Googlebot \[--ip-range …\]/);

  const odd = text({ result: 'not_verifiable', method: null, reason: 'no_method', agent_token: '$(x)' });
  expect(odd).toContain('agents edit d71f20a7-654a-5091-93d7-c783f37c5200 [');

  const noAddress = { client_address_source: null, client_address_reason: 'no_address_header' };
  const unchecked = text({ result: 'not_verifiable', method: null, reason: 'not_checked' }, noAddress, null);
  expect(unchecked).toContain('\nAddress     unknown (no header contains an address)\n');
  expect(unchecked).toContain("-H 'X-Forwarded-For: …'");
});

it('renders unknown visitors and escapes control characters', () => {
  const nobody = { result: 'unknown_agent', agent_token: null, method: null };
  expect(text(nobody, { user_agent_match: null, user_agent_token: null })).toMatch(
    /^· unknown visitor {2}no known agent\n\nClaims {6}the User-Agent matches no known agent/,
  );
  expect(text({ operator_name: 'a\u001b[2J', reason: 'new_\u0007', method: null })).toMatch(
    /a\\x1b\[2J[^]*Reason: new \\x07\./,
  );
  const hostile = {
    method: 'reverse_dns',
    outcome: 'fail',
    reason: 'host_name_not_confirmed',
    confirmed_host_name: null,
  };
  expect(text({}, { steps: [{ ...hostile, host_names: ['a\u009b1m'] }] })).toContain(
    'PTR              66.249.66.1 → a\\x9b1m',
  );
});

it('wraps at spaces without splitting long words', () => {
  expect(wrapText('aa bb cccccc d', 5)).toEqual(['aa bb', 'cccccc', 'd']);
  expect(wrapText('', 5)).toEqual(['']);
});
