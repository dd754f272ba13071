import { compileProxyRanges, parseAddress } from '#libs/agents';
import { CRAWL_PURPOSES } from '#libs/agents/vocabulary';
import type { PolicyRequests, PolicyVisitors } from '#libs/contracts';
import { compilePattern, toComparablePath, toRulePath } from '#libs/robots';
import type { PolicyRequest } from './policy-request.js';

type Condition = (request: PolicyRequest) => boolean;

/** Compiles the conditions on visitors. Without any, all known agents match. */
export function compileVisitors(visitors: PolicyVisitors = {}): Condition {
  const tokens = toLowerCaseSet(visitors.agent_tokens);
  const operators = toLowerCaseSet(visitors.operators);
  const types = new Set<string>([
    ...(visitors.agent_types ?? []),
    ...(visitors.purposes ?? []).flatMap((purpose) => CRAWL_PURPOSES[purpose].types),
  ]);
  const results = new Set<string>(visitors.results);
  const matchesLikely = visitors.likely_automated === true;
  const isInNetworks = compileNetworks(visitors.networks);
  const matchesAll =
    tokens.size + operators.size + types.size === 0 && !matchesLikely && visitors.networks === undefined;
  return ({ visitor, isLikelyAutomated, clientAddress }) => {
    if (results.size > 0 && !results.has(visitor.result)) return false;
    const { agent_token: token, agent_type_name: type, operator_name: operator } = visitor;
    if (isInNetworks(clientAddress)) return true;
    if (token === undefined) return matchesLikely && isLikelyAutomated;
    return (
      matchesAll ||
      (types.size > 0 && type !== undefined && types.has(type)) ||
      (tokens.size > 0 && tokens.has(token.toLowerCase())) ||
      (operators.size > 0 && operator !== undefined && operators.has(operator.toLowerCase()))
    );
  };
}

function compileNetworks(networks: readonly string[] = []): (clientAddress: string | null) => boolean {
  if (networks.length === 0) return () => false;
  const ranges = compileProxyRanges(networks);
  return (clientAddress) => {
    const address = clientAddress === null ? null : parseAddress(clientAddress);
    return address !== null && ranges.contains(address);
  };
}

/** Compiles the conditions on requests. */
export function compileRequests(requests: PolicyRequests = {}): Condition {
  const patterns = requests.paths?.map((path) => compilePattern(toRulePath(path)));
  const methods = requests.methods && new Set<string>(requests.methods);
  const hosts = requests.hosts && new Set<string>(requests.hosts.map(removeTrailingDot));
  return ({ method, host, path }) => {
    if (methods !== undefined && (method === null || !methods.has(method))) return false;
    if (hosts !== undefined && (host === null || !includesHost(hosts, host))) return false;
    if (patterns === undefined) return true;
    const comparable = toComparablePath(path);
    return patterns.some((pattern) => pattern.matches(comparable));
  };
}

const PORT = /:\d*$/;

/** Hosts without a port match all ports. */
const includesHost = (hosts: ReadonlySet<string>, host: string): boolean =>
  hosts.has(removeTrailingDot(host)) || hosts.has(removeTrailingDot(host.replace(PORT, '')));

/** Removes the dot after the top-level domain, which makes no difference to servers. */
function removeTrailingDot(host: string): string {
  const [port = ''] = PORT.exec(host) ?? [];
  const name = host.slice(0, host.length - port.length);
  return name.endsWith('.') ? name.slice(0, -1) + port : host;
}

const toLowerCaseSet = (names: readonly string[] = []): Set<string> => new Set(names.map((name) => name.toLowerCase()));
