import type { ClientAddressReason, SignatureReason } from '#libs/agents';
import type { IdentificationAnswer } from '../catalog-interface.js';

const OF_SIGNATURE: Partial<Record<SignatureReason, string>> = {
  signature_agent_not_listed:
    'If you know whose directory it is, enter it:\nagent-traffic agents edit TOKEN --signature-agent HOST',
  component_unavailable: 'Give the whole request: every header as it arrived, --method and --path with its query.',
  query_unknown: 'Give the path with its query:\n--path "/search?q=…"',
  missing_component: 'Give every header as it arrived; a proxy or a copy may have lost one.',
  expired: 'Signatures hold for minutes: try with a request that has just come in.',
  authority_not_expected: "If the host is yours, add it to the project's host names.",
  test_key: 'To try things out with that key, start the instance with ALLOW_TEST_KEYS=true.',
  directory_pending: 'Ask again in some seconds.',
};

const OF_CLIENT_ADDRESS: Partial<Record<ClientAddressReason, string>> = {
  no_address_header: "Add the header in which your proxy names the visitor's address:\n-H 'X-Forwarded-For: …'",
  no_header_believed: "If the site is behind a proxy after all, say so in the project's settings, and give --project.",
  only_trusted_proxies: "If that proxy names the visitor in another header, say so in the project's settings.",
  headers_disagree: "If one of them is set by your own proxy, name it in the project's settings, and give --project.",
  too_few_entries: "Look at the number of proxies in the project's settings.",
};

const PENDING = new Set<string>(['dns_pending', 'dns_timeout', 'dns_busy']);

/**
 * What could be done for a clearer result; `null` where nothing could, or the result is clear. A command to be copied is a
 * line of its own.
 */
export function nextStep({ client_address, identification }: IdentificationAnswer): string | null {
  const { result, evidence, agent_token: token } = identification;
  if (result === 'verified') return null;
  for (const step of evidence.steps) {
    const hint = step.method === 'http_message_signature' ? OF_SIGNATURE[step.reason] : undefined;
    if (hint !== undefined) return hint;
    if (PENDING.has(step.reason)) return 'Ask again in some seconds.';
  }
  if (result === 'unknown_agent') {
    return 'If it is a bot that you know, add it:\nagent-traffic agents add --token NAME --type TYPE --pattern TEXT';
  }
  if (identification.reason === 'no_method') {
    // A token may hold what a shell wouldn't leave alone.
    const name = /^[\w.-]+$/.test(token ?? '') ? token : identification.agent_id;
    const options = '[--ip-range …] [--dns-suffix …] [--signature-agent …]';
    return `If you know how it proves itself, enter it:\nagent-traffic agents edit ${name} ${options}`;
  }
  return client_address === null ? (OF_CLIENT_ADDRESS[evidence.client_address_reason] ?? null) : null;
}
