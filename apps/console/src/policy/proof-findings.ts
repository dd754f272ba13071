import type { ProofRequest } from '#libs/contracts';
import { parseDecisions } from '#libs/policy';

/** Statuses with which a proxy, rather than the site, responds to unwanted visitors. */
const REFUSALS = new Set([401, 402, 403, 429]);
const CACHE_HEADERS = ['x-cache', 'cf-cache-status', 'x-cache-status', 'x-proxy-cache', 'cache-status'];

interface Response {
  status: number;
  headers: Record<string, string>;
}

type Expectation = Pick<ProofRequest, 'expected_status' | 'decided_by' | 'rule' | 'dry_run_rule'>;

/** Returns true if a response matches the policy. */
export function isExpected({ expected_status: expected, rule }: Expectation, { status, headers }: Response): boolean {
  // A rule that slows down responds with 429 once other visitors have used up the allowance.
  if (expected === 200) return !REFUSALS.has(status) || (status === 429 && isDecidedBy(rule, headers));
  return status === expected;
}

const isDecidedBy = (rule: Expectation['rule'], headers: Response['headers']): boolean =>
  rule !== null && parseDecisions(headers['agent-traffic-decision'] ?? '').some(({ ruleId }) => ruleId === rule.id);

/** Explains a response, and why it differs from the policy. */
export function explainResponse(expectation: Expectation, response: Response): string[] {
  const { expected_status: expected, decided_by: decidedBy, rule, dry_run_rule: dryRunRule } = expectation;
  const { status, headers } = response;
  const dryRun =
    dryRunRule === null || dryRunRule.status === status
      ? []
      : [`The rule “${dryRunRule.name}” is in dry run. Live, it would respond with ${dryRunRule.status}.`];
  if (isExpected(expectation, response)) {
    return [
      ...dryRun,
      ...(expected === 200 && status === 429 ? ['The allowance for this minute is used up.'] : []),
      ...(expected === 200 && status >= 400 && !REFUSALS.has(status)
        ? [`The page itself responds with ${status}.`]
        : []),
      ...(expected !== 200 && headers['agent-traffic-decision'] === undefined && decidedBy === 'rule'
        ? ['The response has no Agent-Traffic-Decision header, so another firewall may have sent it.']
        : []),
    ];
  }
  const cached = describeCache(headers);
  if (expected === 200) {
    return [
      ...dryRun,
      `Neither a live rule nor robots.txt refuses this request. Another firewall, or the query “refuse” in your proxy’s configuration, may respond with ${status}.`,
      ...(cached === null ? [] : [cached]),
      'If you have just published changes, wait a few seconds and try again.',
    ];
  }
  const source = decidedBy === 'rule' && rule !== null ? `the rule “${rule.name}”` : 'your saved robots.txt';
  return [
    `Your proxy should respond with ${expected} because of ${source}.`,
    ...(cached === null ? [] : [cached]),
    'Check that the proxy is connected, uses a token of this project, and checks this page. Sites with the client library must use the same project.',
    'If you have just published changes, wait a few seconds and try again.',
  ];
}

/** Describes the cache that a response came from, or returns null. */
function describeCache(headers: Response['headers']): string | null {
  const name = CACHE_HEADERS.find((header) => headers[header]?.toLowerCase().includes('hit'));
  if (name !== undefined) return `The response came from a cache (${name}: ${headers[name]!.slice(0, 100)}).`;
  const age = headers['age'];
  return age !== undefined && Number(age) > 0 ? `The response came from a cache (age: ${Number(age)} s).` : null;
}
