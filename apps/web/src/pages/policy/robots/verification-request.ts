/** Path of the operation that checks requests for proxies. */
export const VERIFICATION_PATH = '/agent-verifications/forward';
/** Headers of the verdict, which the proxy forwards to the site. */
export const VERDICT_HEADERS = [
  'Agent-Traffic-Result',
  'Agent-Traffic-Agent',
  'Agent-Traffic-Type',
  'Agent-Traffic-Operator',
  'Agent-Traffic-Decision',
];

interface Server {
  isHttps: boolean;
  hostname: string;
  port: string;
}

/** Splits an address for configurations that can't include a scheme. */
export function toServer(address: string): Server {
  const { protocol, hostname, port } = new URL(address);
  const isHttps = protocol === 'https:';
  return { isHttps, hostname, port: port || (isHttps ? '443' : '80') };
}
