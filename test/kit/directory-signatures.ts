import { createHash } from 'node:crypto';
import type { HeaderMap } from '../../libs/agents/src/headers.js';
import { tryParseDictionary } from '../../libs/agents/src/web-bot-auth/structured-field.js';
import { buildSignatureBase } from '../../libs/agents/src/web-bot-auth/signature-base.js';
import {
  hasDuplicate,
  parseSignatureFields,
  type CoveredComponent,
  type SignatureLabel,
} from '../../libs/agents/src/web-bot-auth/signature-fields.js';
import {
  parseSignatureParameters,
  checkSignatureTime,
} from '../../libs/agents/src/web-bot-auth/signature-parameters.js';
import { DIRECTORY_TAG } from '../../libs/agents/src/web-bot-auth/signed-directory.js';
import type { KeySet } from '../../libs/agents/src/web-bot-auth/verification-key.js';

export interface FetchedDirectory {
  /** Lowercase host that served the directory, including any non-default port. */
  authority: string;
  headers: HeaderMap;
  body: string;
  keys: KeySet;
  /** Fetch time in milliseconds since the Unix epoch. */
  at: number;
}

const DIGESTS: ReadonlyMap<string, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
]);

/**
 * Returns the thumbprints of the keys that signed the directory (draft-ietf-webbotauth-httpsig-protocol-01, appendix
 * B). These signatures only protect against copies that another host serves, so a key that was fetched from its own
 * directory doesn't need one. Never throws.
 */
export function getSigningKeyIds(directory: FetchedDirectory): Set<string> {
  const signingKeyIds = new Set<string>();
  if (!digestMatches(directory)) return signingKeyIds;
  const fields = parseSignatureFields(directory.headers, DIRECTORY_TAG);
  for (const label of 'labels' in fields ? fields.labels : []) {
    const id = verifySignature(label, directory);
    if (id !== null) signingKeyIds.add(id);
  }
  return signingKeyIds;
}

function digestMatches({ headers, body }: FetchedDirectory): boolean {
  const digests = tryParseDictionary(headers['content-digest'] ?? '') ?? new Map();
  let hasMatch = false;
  for (const [name, [value]] of digests) {
    const algorithm = DIGESTS.get(name);
    if (algorithm === undefined || !(value instanceof ArrayBuffer)) continue;
    if (!createHash(algorithm).update(body).digest().equals(new Uint8Array(value))) return false;
    hasMatch = true;
  }
  return hasMatch;
}

function verifySignature(label: SignatureLabel, { authority, headers, keys, at }: FetchedDirectory): string | null {
  const parameters = parseSignatureParameters(label.parameters);
  if ('fault' in parameters || label.components === null || label.value === null) return null;
  const key = keys.get(parameters.keyid);
  if (key === undefined || checkSignatureTime(parameters, at) !== null) return null;
  if (parameters.alg !== null && parameters.alg !== key.algorithm) return null;
  const identifiers = new Set(label.components.map(({ identifier }) => identifier));
  if (!identifiers.has(AUTHORITY) || !identifiers.has(DIGEST) || hasDuplicate(label.components)) return null;
  const getComponentValue = ({ identifier, name, parameters: { size } }: CoveredComponent) =>
    (identifier === AUTHORITY ? authority : size === 0 ? headers[name] : undefined) ?? MISSING;
  const base = buildSignatureBase(label.components, label.signatureParams, getComponentValue);
  return typeof base === 'string' && key.verify(base, label.value) === true ? key.id : null;
}

const AUTHORITY = '"@authority";req';
const DIGEST = '"content-digest"';
const MISSING = { fault: 'missing_component' as const };
