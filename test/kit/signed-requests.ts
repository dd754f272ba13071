/** Requests signed by two agents. They're built by hand, so tests fully control the signed content. */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import {
  normalizeHeaders,
  parseKeySet,
  computeThumbprint,
  verifyWebBotAuth,
  type AgentDefinition,
  type Jwk,
  type KeyResult,
  type ObservedRequest,
  type WebBotAuthContext,
  type WebBotAuthVerdict,
} from '#libs/agents';

export const AGENT_ONE = { id: '1', token: 'One' } as AgentDefinition;
export const AGENT_TWO = { id: '2', token: 'Two' } as AgentDefinition;
const LISTED_DIRECTORIES = new Map([
  ['https://one.test/.well-known/http-message-signatures-directory', AGENT_ONE],
  ['https://two.test/keys', AGENT_TWO],
]);
export const REQUEST_TIME_MS = 1_800_000_000_000;
export const CREATED_SECONDS = REQUEST_TIME_MS / 1_000;
export const { publicKey, privateKey } = generateKeyPairSync('ed25519');
export const KEY_ID = computeThumbprint(publicKey.export({ format: 'jwk' }) as Jwk);
const keys = parseKeySet(publicKey.export({ format: 'jwk' }));

/**
 * Returns a context with two listed agents, whose directories contain the key. `asked` collects the requested directory
 * URLs.
 */
export function createContext(changes: Partial<WebBotAuthContext> = {}): WebBotAuthContext & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    directories: {
      find(url, keyId): KeyResult {
        asked.push(url);
        const key = keys.get(keyId);
        return key === undefined ? { fault: 'key_not_in_directory' } : { key };
      },
    },
    getAgentByDirectory: (url) => LISTED_DIRECTORIES.get(url) ?? null,
    hostNames: [],
    allowTestKeys: false,
    userAgentAgent: null,
    ...changes,
  };
}

/** Verifies a request. Default time: {@link REQUEST_TIME_MS}. */
export function verifyRequest(
  request: Partial<ObservedRequest>,
  changes?: Partial<WebBotAuthContext>,
): WebBotAuthVerdict {
  const verdict = verifyWebBotAuth(
    { headers: normalizeHeaders({}), method: null, path: null, at: REQUEST_TIME_MS, ...request },
    createContext(changes),
  );
  if (verdict instanceof Promise) throw new Error('Expected a synchronous verdict');
  return verdict;
}

/** Returns signature headers. Each label signs its lines, followed by its input as `@signature-params`. */
export function createSignatureHeaders(
  labels: { label?: string; input: string; lines: string[]; key?: KeyObject }[],
): Record<string, string> {
  const inputs = labels.map(({ label = 'sig1', input }) => `${label}=${input}`);
  const values = labels.map(({ label = 'sig1', input, lines, key = privateKey }) => {
    const base = [...lines, `"@signature-params": ${input}`].join('\n');
    return `${label}=:${sign(null, Buffer.from(base), key).toString('base64')}:`;
  });
  return { 'signature-input': inputs.join(', '), signature: values.join(', ') };
}

export const PARAMETERS = `;created=${CREATED_SECONDS};expires=${CREATED_SECONDS + 60};keyid="${KEY_ID}";tag="web-bot-auth"`;
export const AUTHORITY = { name: '"@authority"', line: '"@authority": shop.example' };

/**
 * Returns the headers of a request with a single signature over the given components and `Signature-Agent`. The
 * `Signature-Agent` header is a plain string, not a dictionary.
 */
export function request(
  components: { name: string; line: string }[],
  { parameters = PARAMETERS, agent = '"https://one.test"', ...others }: Record<string, string> = {},
): Record<string, string> {
  const all = [...components, { name: '"signature-agent"', line: `"signature-agent": ${agent}` }];
  const input = `(${all.map(({ name }) => name).join(' ')})${parameters}`;
  return {
    host: 'shop.example',
    'signature-agent': agent!,
    ...others,
    ...createSignatureHeaders([{ input, lines: all.map(({ line }) => line) }]),
  };
}

export const getVerdict = (
  headers: Record<string, string>,
  rest: Partial<ObservedRequest> = {},
  changes?: Partial<WebBotAuthContext>,
) => {
  const { outcome, reason } = verifyRequest({ headers: normalizeHeaders(headers), ...rest }, changes);
  return `${outcome} ${reason}`;
};
