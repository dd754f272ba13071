import type { ClientAddressReason, SignatureReason } from '#libs/agents';
import type { IdentificationResponse } from './identification-response.js';

const SIGNATURE_ADVICE: Partial<Record<SignatureReason, string>> = {
  signature_agent_not_listed:
    "If you know the directory's operator, add it to the agent:\nagent-traffic agents edit TOKEN --signature-agent HOST",
  component_unavailable:
    'Pass the complete request: all headers as received, --method, and --path with the query string.',
  query_unknown: 'Pass the path with the query string:\n--path "/search?q=…"',
  missing_component: 'Pass all headers as received. A proxy may have removed one, or it was lost while copying.',
  expired: 'Signatures expire within minutes. Try again with a recent request.',
  authority_not_expected: "If this is your host, add it to the project's host names.",
  test_key: 'To accept this key for testing, start the instance with ALLOW_TEST_KEYS=true.',
  directory_pending: 'Try again in a few seconds.',
};

const CLIENT_ADDRESS_ADVICE: Partial<Record<ClientAddressReason, string>> = {
  no_address_header: "Add the header in which your proxy sends the visitor's address:\n-H 'X-Forwarded-For: …'",
  no_header_believed: "If the site is behind a proxy, configure it in the project's settings, and pass --project.",
  only_trusted_proxies:
    "If this proxy sends the visitor's address in another header, select that header in the project's settings.",
  headers_disagree:
    "If your own proxy sets one of these headers, select it in the project's settings, and pass --project.",
  too_few_entries: "Check the number of proxies in the project's settings.",
};

const PENDING_REASONS = new Set<string>(['dns_pending', 'dns_timeout', 'dns_busy']);

/** Returns advice for getting a clearer result, or null. Commands to copy are on separate lines. */
export function getNextStep({ client_address, identification }: IdentificationResponse): string | null {
  const { result, evidence, agent_token: token } = identification;
  if (result === 'verified') return null;
  for (const step of evidence.steps) {
    const hint = step.method === 'http_message_signature' ? SIGNATURE_ADVICE[step.reason] : undefined;
    if (hint !== undefined) return hint;
    if (PENDING_REASONS.has(step.reason)) return 'Try again in a few seconds.';
  }
  if (result === 'unknown_agent') {
    return 'If you know this bot, add it:\nagent-traffic agents add --token NAME --type TYPE --pattern TEXT';
  }
  if (identification.reason === 'no_method') {
    // Use the ID for tokens that would need to be quoted in a shell.
    const name = /^[\w.-]+$/.test(token ?? '') ? token : identification.agent_id;
    const options = '[--ip-range …] [--dns-suffix …] [--signature-agent …]';
    return `If you know how to verify this agent, add it to the catalog:\nagent-traffic agents edit ${name} ${options}`;
  }
  return client_address === null ? (CLIENT_ADDRESS_ADVICE[evidence.client_address_reason] ?? null) : null;
}
