import { isInnerList, serializeInnerList, serializeItem } from 'structured-headers';
import type { InnerList, Parameters } from 'structured-headers';
import type { HeaderMap } from '../headers.js';
import type { SignatureReason } from '../vocabulary.js';
import { readDictionary } from './structured-field.js';

export const WEB_BOT_AUTH_TAG = 'web-bot-auth';
export const MAX_FIELD_CHARACTERS = 8_192;
const MAX_LABELS = 8;

/** Covered component. `identifier` is its name in the signature base, such as `"signature-agent";key="sig1"`. */
export interface CoveredComponent {
  identifier: string;
  name: string;
  parameters: Parameters;
}

/** Signature-Input member with its signature. */
export interface SignatureLabel {
  label: string;
  /** Null if one of them has an invalid name. */
  components: CoveredComponent[] | null;
  parameters: Parameters;
  signatureParams: string;
  /** Signature bytes. Null if Signature lacks the label, or has no byte sequence for it. */
  value: Uint8Array | null;
}

/** Signature labels to verify, or why there are none. `isComplete` is false if there is no Signature header. */
type SignatureFields = { labels: SignatureLabel[]; isComplete: boolean } | { fault: SignatureReason };

/** Parses Signature-Input and Signature (RFC 9421, section 4). Returns only labels with the given tag. Never throws. */
export function readSignatureFields(headers: HeaderMap, tag: string): SignatureFields {
  const input = headers['signature-input'];
  const signature = headers['signature'];
  // A Signature without Signature-Input is usually from a draft before RFC 9421, which other software still uses.
  if (input === undefined) {
    const isOurs = signature !== undefined && headers['signature-agent'] !== undefined;
    return { fault: isOurs ? 'signature_headers_incomplete' : 'no_web_bot_auth_signature' };
  }
  const inputs = input.length > MAX_FIELD_CHARACTERS ? null : readDictionary(input);
  if (inputs === null) {
    return { fault: input.includes(tag) ? 'signature_input_unreadable' : 'no_web_bot_auth_signature' };
  }
  const isReadable = signature !== undefined && signature.length <= MAX_FIELD_CHARACTERS;
  const values = isReadable ? readDictionary(signature) : null;
  const labels: SignatureLabel[] = [];
  for (const [label, member] of inputs) {
    if (!isInnerList(member) || member[1].get('tag') !== tag) continue;
    const value = values?.get(label)?.[0];
    labels.push(signatureLabel(label, member, value instanceof ArrayBuffer ? new Uint8Array(value) : null));
    if (labels.length === MAX_LABELS) break;
  }
  if (labels.length === 0) return { fault: 'no_web_bot_auth_signature' };
  return { labels, isComplete: signature !== undefined };
}

function signatureLabel(label: string, list: InnerList, value: Uint8Array | null): SignatureLabel {
  return {
    label,
    components: coveredComponents(list),
    parameters: list[1],
    signatureParams: serializeInnerList(list),
    value,
  };
}

function coveredComponents([items]: InnerList): CoveredComponent[] | null {
  const components: CoveredComponent[] = [];
  for (const [name, parameters] of items) {
    if (typeof name !== 'string' || !/^@?[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) return null;
    components.push({ identifier: serializeItem(name, parameters), name, parameters });
  }
  return components;
}

/**
 * Returns whether a component is covered twice (RFC 9421, section 2). The order of its parameters makes no difference.
 */
export function hasDuplicate(components: readonly CoveredComponent[]): boolean {
  const seen = new Set<string>();
  for (const { identifier, name, parameters } of components) {
    seen.add(parameters.size < 2 ? identifier : serializeItem(name, new Map([...parameters].sort(byName))));
  }
  return seen.size < components.length;
}

function byName([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}
