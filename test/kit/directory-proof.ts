import { createHash } from 'node:crypto';
import type { HeaderMap } from '../../libs/agents/src/headers.js';
import type { KeySet } from '../../libs/agents/src/web-bot-auth/key-set.js';
import { readDictionary } from '../../libs/agents/src/web-bot-auth/structured-field.js';
import { signatureBase } from '../../libs/agents/src/web-bot-auth/signature-base.js';
import { signatureHolds } from '../../libs/agents/src/web-bot-auth/signature-check.js';
import {
  hasDuplicate,
  readSignatureFields,
  type CoveredComponent,
  type SignatureLabel,
} from '../../libs/agents/src/web-bot-auth/signature-fields.js';
import { readSignatureParameters, timeFault } from '../../libs/agents/src/web-bot-auth/signature-parameters.js';
import { DIRECTORY_TAG } from '../../libs/agents/src/web-bot-auth/signed-directory.js';

export interface FetchedDirectory {
  /** Lowercase host that served the directory, with the port unless it's the default port. */
  authority: string;
  headers: HeaderMap;
  body: string;
  keys: KeySet;
  /** Fetch time in milliseconds since the epoch. */
  at: number;
}

const DIGESTS: ReadonlyMap<string, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
]);

/**
 * Returns the thumbprints of the keys that signed the directory (draft-ietf-webbotauth-httpsig-protocol-01, appendix
 * B). A key fetched from its own directory needs no such proof, which only detects copies served by someone else. Never
 * throws.
 */
export function provenKeys(directory: FetchedDirectory): Set<string> {
  const proven = new Set<string>();
  if (!digestMatches(directory)) return proven;
  const fields = readSignatureFields(directory.headers, DIRECTORY_TAG);
  for (const label of 'labels' in fields ? fields.labels : []) {
    const id = provenKey(label, directory);
    if (id !== null) proven.add(id);
  }
  return proven;
}

function digestMatches({ headers, body }: FetchedDirectory): boolean {
  const digests = readDictionary(headers['content-digest'] ?? '') ?? new Map();
  let isMatched = false;
  for (const [name, [value]] of digests) {
    const algorithm = DIGESTS.get(name);
    if (algorithm === undefined || !(value instanceof ArrayBuffer)) continue;
    if (!createHash(algorithm).update(body).digest().equals(new Uint8Array(value))) return false;
    isMatched = true;
  }
  return isMatched;
}

function provenKey(label: SignatureLabel, { authority, headers, keys, at }: FetchedDirectory): string | null {
  const parameters = readSignatureParameters(label.parameters);
  if ('fault' in parameters || label.components === null || label.value === null) return null;
  const key = keys.get(parameters.keyid);
  if (key === undefined || timeFault(parameters, at) !== null) return null;
  if (parameters.alg !== null && parameters.alg !== key.algorithm) return null;
  const identifiers = new Set(label.components.map(({ identifier }) => identifier));
  if (!identifiers.has(AUTHORITY) || !identifiers.has(DIGEST) || hasDuplicate(label.components)) return null;
  const valueOf = ({ identifier, name, parameters: { size } }: CoveredComponent) =>
    (identifier === AUTHORITY ? authority : size === 0 ? headers[name] : undefined) ?? MISSING;
  const base = signatureBase(label.components, label.signatureParams, valueOf);
  return typeof base === 'string' && signatureHolds(key, base, label.value) ? key.id : null;
}

const AUTHORITY = '"@authority";req';
const DIGEST = '"content-digest"';
const MISSING = { fault: 'missing_component' as const };
