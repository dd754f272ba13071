/** Requests signed by two agents. They're built by hand, so tests have full control over the signed content. */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import {
  normalizeHeaders,
  readKeySet,
  thumbprint,
  webBotAuth,
  type AgentDefinition,
  type Jwk,
  type KeyAnswer,
  type ObservedRequest,
  type WebBotAuthContext,
  type WebBotAuthVerdict,
} from '#libs/agents';

export const ONE = { id: '1', token: 'One' } as AgentDefinition;
export const TWO = { id: '2', token: 'Two' } as AgentDefinition;
const LISTED = new Map([
  ['https://one.test/.well-known/http-message-signatures-directory', ONE],
  ['https://two.test/keys', TWO],
]);
export const AT = 1_800_000_000_000;
export const CREATED = AT / 1_000;
export const { publicKey, privateKey } = generateKeyPairSync('ed25519');
export const KEY_ID = thumbprint(publicKey.export({ format: 'jwk' }) as Jwk);
const keys = readKeySet(publicKey.export({ format: 'jwk' }));

/**
 * Returns a context with two listed agents, whose directories contain the key. `asked` collects the URLs of requested
 * directories.
 */
export function context(changes: Partial<WebBotAuthContext> = {}): WebBotAuthContext & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    directories: {
      find(url, keyId): KeyAnswer {
        asked.push(url);
        const key = keys.get(keyId);
        return key === undefined ? { fault: 'key_not_in_directory' } : { key };
      },
    },
    agentOfDirectory: (url) => LISTED.get(url) ?? null,
    hostNames: [],
    allowTestKeys: false,
    userAgentAgent: null,
    ...changes,
  };
}

/** Verifies a request, by default at {@link AT}. */
export function judge(request: Partial<ObservedRequest>, changes?: Partial<WebBotAuthContext>): WebBotAuthVerdict {
  const verdict = webBotAuth(
    { headers: normalizeHeaders({}), method: null, path: null, at: AT, ...request },
    context(changes),
  );
  if (verdict instanceof Promise) throw new Error('Everything was at hand');
  return verdict;
}

/** Returns signature headers. Each label signs its lines, followed by its input as `@signature-params`. */
export function signed(
  labels: { label?: string; input: string; lines: string[]; key?: KeyObject }[],
): Record<string, string> {
  const inputs = labels.map(({ label = 'sig1', input }) => `${label}=${input}`);
  const values = labels.map(({ label = 'sig1', input, lines, key = privateKey }) => {
    const base = [...lines, `"@signature-params": ${input}`].join('\n');
    return `${label}=:${sign(null, Buffer.from(base), key).toString('base64')}:`;
  });
  return { 'signature-input': inputs.join(', '), signature: values.join(', ') };
}

export const PARAMETERS = `;created=${CREATED};expires=${CREATED + 60};keyid="${KEY_ID}";tag="web-bot-auth"`;
export const AUTHORITY = { name: '"@authority"', line: '"@authority": shop.example' };

/**
 * Returns the headers of a request with one signature, over the components and `Signature-Agent`. That header is a
 * plain string, not a dictionary.
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
    ...signed([{ input, lines: all.map(({ line }) => line) }]),
  };
}

export const reasonOf = (
  headers: Record<string, string>,
  rest: Partial<ObservedRequest> = {},
  changes?: Partial<WebBotAuthContext>,
) => {
  const { outcome, reason } = judge({ headers: normalizeHeaders(headers), ...rest }, changes);
  return `${outcome} ${reason}`;
};
