import { isInnerList, parseItem } from 'structured-headers';
import type { Dictionary } from 'structured-headers';
import type { SignatureReason } from '../vocabulary.js';
import { toDirectoryUrl } from './directory-url.js';
import { MAX_FIELD_CHARACTERS, type CoveredComponent } from './signature-fields.js';
import { tryParseDictionary } from './structured-field.js';

const MAX_URL_CHARACTERS = 2_048;

/**
 * Parsed Signature-Agent header: either a dictionary (`members`) or a single URL (`one`). Drafts before 2026 specified a
 * single quoted URL, and some signers send it without quotes.
 */
export type SignatureAgentField =
  { one: string; hasParameters?: boolean } | { members: Dictionary } | { fault: SignatureReason };

/** Parses a Signature-Agent header. Never throws. */
export function parseSignatureAgent(value: string | undefined): SignatureAgentField {
  if (value === undefined || value === '') return { fault: 'signature_agent_absent' };
  if (value.length > MAX_FIELD_CHARACTERS) return { fault: 'signature_agent_unparsable' };
  if (/^[a-z]+:\/\/[\x21\x23-\x2b\x2d-\x7e]*$/.test(value)) return { one: value };
  if (value.startsWith('"')) return parseQuoted(value);
  const members = tryParseDictionary(value);
  return members === null ? { fault: 'signature_agent_unparsable' } : { members };
}

function parseQuoted(value: string): SignatureAgentField {
  try {
    const [text, parameters] = parseItem(value);
    return { one: text as string, hasParameters: parameters.size > 0 };
  } catch {
    return { fault: 'signature_agent_unparsable' };
  }
}

/** Agent that a signature claims to be from. If there is a `fault`, the directory URL must not be trusted. */
export interface ClaimedAgent {
  agent: string | null;
  directoryUrl: string | null;
  fault: SignatureReason | null;
}

/**
 * Resolves the agent for a signature label: the single URL, the only dictionary member, or the member that the signature
 * covers. A member with the same name as the label takes precedence. Follows
 * draft-ietf-webbotauth-httpsig-protocol-01, sections 4.3 and 5.2.
 */
export function resolveClaimedAgent(
  field: SignatureAgentField,
  label: string,
  components: readonly CoveredComponent[] | null,
): ClaimedAgent {
  if ('fault' in field) return toFault(field.fault);
  const coveringComponents = (components ?? []).filter(({ name }) => name === 'signature-agent');
  const keys = new Set(
    coveringComponents.map(({ parameters }) => parameters.get('key')).filter((key) => typeof key === 'string'),
  );
  const memberResult =
    'one' in field ? (keys.size > 0 ? MEMBER_MISSING : field) : findMember(field.members, label, keys);
  if ('fault' in memberResult) return toFault(memberResult.fault);
  const { one: agent, hasParameters = false } = memberResult;
  if (agent.length > MAX_URL_CHARACTERS) return toFault('signature_agent_not_a_url');
  const url = toDirectoryUrl(agent);
  // Section 5.2.1 requires ignoring members with parameters. The agent is still returned, because it shows who claims
  // to have sent the request.
  if (hasParameters) {
    const fault = 'signature_agent_member_has_parameters';
    return { agent, directoryUrl: 'fault' in url ? null : url.url, fault };
  }
  if ('fault' in url) return { agent, directoryUrl: null, fault: url.fault };
  const fault = coveringComponents.length === 0 ? 'signature_agent_not_covered' : null;
  return { agent, directoryUrl: url.url, fault };
}

const MEMBER_MISSING: { fault: SignatureReason } = { fault: 'signature_agent_member_missing' };

/** @param keys Dictionary keys that the signature covers. Empty if it covers the entire field or doesn't cover it. */
function findMember(
  members: Dictionary,
  label: string,
  keys: ReadonlySet<string>,
): { one: string; hasParameters: boolean } | { fault: SignatureReason } {
  const candidates = keys.size > 0 ? keys : new Set(members.keys());
  if (!candidates.has(label) && candidates.size > 1) return { fault: 'signature_agent_ambiguous' };
  const key = candidates.has(label) ? label : [...candidates][0];
  const member = key === undefined ? undefined : members.get(key);
  if (member === undefined) return MEMBER_MISSING;
  if (isInnerList(member) || typeof member[0] !== 'string') return { fault: 'signature_agent_unparsable' };
  return { one: member[0], hasParameters: member[1].size > 0 };
}

function toFault(fault: SignatureReason): ClaimedAgent {
  return { agent: null, directoryUrl: null, fault };
}
