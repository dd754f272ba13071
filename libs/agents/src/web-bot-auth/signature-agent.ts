import { isInnerList, parseItem } from 'structured-headers';
import type { Dictionary } from 'structured-headers';
import type { SignatureReason } from '../vocabulary.js';
import { directoryUrl } from './directory-url.js';
import { MAX_FIELD_CHARACTERS, type CoveredComponent } from './signature-fields.js';
import { readDictionary } from './structured-field.js';

const MAX_URL_CHARACTERS = 2_048;

/**
 * Parsed Signature-Agent header. `one` is a single URL: a string, as in drafts before 2026, or an unquoted URL, which
 * some signers send. `members` is a dictionary.
 */
export type SignatureAgentField =
  { one: string; hasParameters?: boolean } | { members: Dictionary } | { fault: SignatureReason };

/** Parses the header in any of its three forms. Never throws. */
export function readSignatureAgent(value: string | undefined): SignatureAgentField {
  if (value === undefined || value === '') return { fault: 'signature_agent_absent' };
  if (value.length > MAX_FIELD_CHARACTERS) return { fault: 'signature_agent_unparsable' };
  if (/^[a-z]+:\/\/[\x21\x23-\x2b\x2d-\x7e]*$/.test(value)) return { one: value };
  if (value.startsWith('"')) return quoted(value);
  const members = readDictionary(value);
  return members === null ? { fault: 'signature_agent_unparsable' } : { members };
}

function quoted(value: string): SignatureAgentField {
  try {
    const [text, parameters] = parseItem(value);
    return { one: text as string, hasParameters: parameters.size > 0 };
  } catch {
    return { fault: 'signature_agent_unparsable' };
  }
}

/** Agent named by a signature. If it has a `fault`, any directory URL is an unverified claim. */
export interface NamedAgent {
  /** Text as sent. */
  agent: string | null;
  directoryUrl: string | null;
  fault: SignatureReason | null;
}

/**
 * Returns the agent of one signature label: the single URL, the only dictionary member, or the member that the
 * signature covers. The member with the same name as the label takes precedence. Follows
 * draft-ietf-webbotauth-httpsig-protocol-01, sections 4.3 and 5.2.
 */
export function namedAgent(
  field: SignatureAgentField,
  label: string,
  components: readonly CoveredComponent[] | null,
): NamedAgent {
  if ('fault' in field) return unnamed(field.fault);
  const covered = (components ?? []).filter(({ name }) => name === 'signature-agent');
  const keys = new Set(covered.map(({ parameters }) => parameters.get('key')).filter((key) => typeof key === 'string'));
  const found = 'one' in field ? (keys.size > 0 ? MEMBER_MISSING : field) : memberOf(field.members, label, keys);
  if ('fault' in found) return unnamed(found.fault);
  const { one: agent, hasParameters = false } = found;
  if (agent.length > MAX_URL_CHARACTERS) return unnamed('signature_agent_not_a_url');
  const url = directoryUrl(agent);
  // Section 5.2.1 ignores members with parameters, but they still show who sent the request.
  if (hasParameters) {
    const fault = 'signature_agent_member_has_parameters';
    return { agent, directoryUrl: 'fault' in url ? null : url.url, fault };
  }
  if ('fault' in url) return { agent, directoryUrl: null, fault: url.fault };
  const fault = covered.length === 0 ? 'signature_agent_not_covered' : null;
  return { agent, directoryUrl: url.url, fault };
}

const MEMBER_MISSING: { fault: SignatureReason } = { fault: 'signature_agent_member_missing' };

/** @param keys Dictionary keys that the signature covers. If empty, it covers either the entire field or none of it. */
function memberOf(
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

function unnamed(fault: SignatureReason): NamedAgent {
  return { agent: null, directoryUrl: null, fault };
}
