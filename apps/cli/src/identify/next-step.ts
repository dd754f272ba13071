import type { ClientAddressReason, SignatureReason } from '#libs/agents';
import type { IdentificationAnswer } from './identification-answer.js';

const OF_SIGNATURE: Partial<Record<SignatureReason, string>> = {
  signature_agent_not_listed:
    'If you know whose directory it is, add it:\nagent-traffic agents edit TOKEN --signature-agent HOST',
  component_unavailable: 'Pass the whole request: every header as it arrived, --method, and --path with its query.',
  query_unknown: 'Pass the path with its query:\n--path "/search?q=…"',
  missing_component: 'Pass every header as it arrived; a proxy or a copy may have dropped one.',
  expired: 'Signatures expire within minutes. Try a request that has just arrived.',
  authority_not_expected: "If the host is yours, add it to the project's host names.",
  test_key: 'To accept that key for testing, start the instance with ALLOW_TEST_KEYS=true.',
  directory_pending: 'Try again in a few seconds.',
};

const OF_CLIENT_ADDRESS: Partial<Record<ClientAddressReason, string>> = {
  no_address_header: "Add the header that your proxy sets to the visitor's address:\n-H 'X-Forwarded-For: …'",
  no_header_believed: "If the site is behind a proxy, say so in the project's settings, and pass --project.",
  only_trusted_proxies:
    "If that proxy sets another header to the visitor's address, choose it in the project's settings.",
  headers_disagree: "If your own proxy sets one of them, choose it in the project's settings, and pass --project.",
  too_few_entries: "Check the number of proxies in the project's settings.",
};

const PENDING = new Set<string>(['dns_pending', 'dns_timeout', 'dns_busy']);

/** Returns advice on how to get a clearer result, or null if there is none. Commands to copy are on their own lines. */
export function nextStep({ client_address, identification }: IdentificationAnswer): string | null {
  const { result, evidence, agent_token: token } = identification;
  if (result === 'verified') return null;
  for (const step of evidence.steps) {
    const hint = step.method === 'http_message_signature' ? OF_SIGNATURE[step.reason] : undefined;
    if (hint !== undefined) return hint;
    if (PENDING.has(step.reason)) return 'Try again in a few seconds.';
  }
  if (result === 'unknown_agent') {
    return 'If you know this bot, add it:\nagent-traffic agents add --token NAME --type TYPE --pattern TEXT';
  }
  if (identification.reason === 'no_method') {
    // Use the ID if the token would have to be quoted in a shell.
    const name = /^[\w.-]+$/.test(token ?? '') ? token : identification.agent_id;
    const options = '[--ip-range …] [--dns-suffix …] [--signature-agent …]';
    return `If you know how to verify it, add that:\nagent-traffic agents edit ${name} ${options}`;
  }
  return client_address === null ? (OF_CLIENT_ADDRESS[evidence.client_address_reason] ?? null) : null;
}
