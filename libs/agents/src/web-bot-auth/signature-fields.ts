import { isInnerList, serializeInnerList, serializeItem } from 'structured-headers';
import type { InnerList, Parameters } from 'structured-headers';
import type { HeaderMap } from '../headers.js';
import type { SignatureReason } from '../vocabulary.js';
import { tryParseDictionary } from './structured-field.js';

export const WEB_BOT_AUTH_TAG = 'web-bot-auth';
export const MAX_FIELD_CHARACTERS = 8_192;
const MAX_LABELS = 8;

/** Component covered by a signature. `identifier` is its serialized form, such as `"signature-agent";key="sig1"`. */
export interface CoveredComponent {
  identifier: string;
  name: string;
  parameters: Parameters;
}

/** Member of Signature-Input, along with its signature. */
export interface SignatureLabel {
  label: string;
  /** Covered components, or null if one of them has an invalid name. */
  components: CoveredComponent[] | null;
  parameters: Parameters;
  signatureParams: string;
  /** Signature bytes, or null if the Signature header doesn't contain a byte sequence for this label. */
  value: Uint8Array | null;
}

/** Signature labels to verify, or the reason why there are none. `isComplete` is false without a Signature header. */
type ParsedSignatureFields = { labels: SignatureLabel[]; isComplete: boolean } | { fault: SignatureReason };

/** Parses Signature-Input and Signature (RFC 9421, section 4). Only returns labels with the given tag. Never throws. */
export function parseSignatureFields(headers: HeaderMap, tag: string): ParsedSignatureFields {
  const input = headers['signature-input'];
  const signature = headers['signature'];
  // A Signature header without Signature-Input usually isn't a Web Bot Auth signature. Software that follows an older
  // draft of HTTP signatures sends such headers.
  if (input === undefined) {
    const isOurs = signature !== undefined && headers['signature-agent'] !== undefined;
    return { fault: isOurs ? 'signature_headers_incomplete' : 'no_web_bot_auth_signature' };
  }
  const inputs = input.length > MAX_FIELD_CHARACTERS ? null : tryParseDictionary(input);
  if (inputs === null) {
    return { fault: input.includes(tag) ? 'signature_input_unreadable' : 'no_web_bot_auth_signature' };
  }
  const isReadable = signature !== undefined && signature.length <= MAX_FIELD_CHARACTERS;
  const values = isReadable ? tryParseDictionary(signature) : null;
  const labels: SignatureLabel[] = [];
  for (const [label, member] of inputs) {
    if (!isInnerList(member) || member[1].get('tag') !== tag) continue;
    const value = values?.get(label)?.[0];
    labels.push(toSignatureLabel(label, member, value instanceof ArrayBuffer ? new Uint8Array(value) : null));
    if (labels.length === MAX_LABELS) break;
  }
  if (labels.length === 0) return { fault: 'no_web_bot_auth_signature' };
  return { labels, isComplete: signature !== undefined };
}

function toSignatureLabel(label: string, list: InnerList, value: Uint8Array | null): SignatureLabel {
  return {
    label,
    components: parseComponents(list),
    parameters: list[1],
    signatureParams: serializeInnerList(list),
    value,
  };
}

function parseComponents([items]: InnerList): CoveredComponent[] | null {
  const components: CoveredComponent[] = [];
  for (const [name, parameters] of items) {
    if (typeof name !== 'string' || !/^@?[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) return null;
    components.push({ identifier: serializeItem(name, parameters), name, parameters });
  }
  return components;
}

/** Returns true if a component is covered twice, even with its parameters in a different order (RFC 9421, section 2). */
export function hasDuplicate(components: readonly CoveredComponent[]): boolean {
  const seen = new Set<string>();
  for (const { identifier, name, parameters } of components) {
    seen.add(parameters.size < 2 ? identifier : serializeItem(name, new Map([...parameters].sort(compareNames))));
  }
  return seen.size < components.length;
}

function compareNames([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}
