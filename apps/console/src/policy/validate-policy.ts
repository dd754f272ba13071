import { parseCidr } from '#libs/agents';
import type { Fault, PolicyException, PolicyRule } from '#libs/contracts';
import { invalidBodyError } from '#libs/platform';
import { isExemptPath } from '#libs/policy';

const PLACEHOLDER = '{path}';
/** Maximum number of path patterns of all rules and exceptions together. Each is compared with each request. */
const MAX_PATH_PATTERNS = 2_000;

/**
 * Validates what the schema of rules can't express.
 *
 * @throws {ProblemError} 422 for repeated IDs, too many path patterns, and for rules that never apply or redirect
 * endlessly.
 */
export function validatePolicy(rules: readonly PolicyRule[]): void {
  const errors: Fault[] = [];
  const ids = new Set<string>();
  let patterns = 0;
  const check = (rule: PolicyRule | PolicyException, pointer: string): void => {
    const { id } = rule;
    if (ids.has(id)) errors.push({ pointer: `${pointer}/id`, detail: 'must differ from the IDs of all other rules' });
    ids.add(id);
    const paths = rule.requests?.paths ?? [];
    patterns += paths.length;
    for (const [index, path] of paths.entries()) {
      if (path.includes('*') || !isExemptPath(path.endsWith('$') ? path.slice(0, -1) : path)) continue;
      errors.push({
        pointer: `${pointer}/requests/paths/${index}`,
        detail: 'must be another path, because rules never apply to /robots.txt and /.well-known/',
      });
    }
    for (const [index, network] of (rule.visitors?.networks ?? []).entries()) {
      if (parseCidr(network) !== null) continue;
      errors.push({
        pointer: `${pointer}/visitors/networks/${index}`,
        detail: `must be an IP address or a network in CIDR notation, such as 203.0.113.0/24 (got "${network}")`,
      });
    }
    if (rule.action.kind === 'redirect') {
      const fault = findLocationFault(rule.action.location);
      if (fault !== null) errors.push({ pointer: `${pointer}/action/location`, detail: fault });
    }
  };
  for (const [index, rule] of rules.entries()) {
    check(rule, `/rules/${index}`);
    for (const [at, exception] of (rule.exceptions ?? []).entries()) {
      check(exception, `/rules/${index}/exceptions/${at}`);
      if (exception.visitors !== undefined || exception.requests !== undefined) continue;
      errors.push({
        pointer: `/rules/${index}/exceptions/${at}`,
        detail: 'must have visitors or requests, or else it would replace the action of the rule for all requests',
      });
    }
  }
  if (patterns > MAX_PATH_PATTERNS) {
    errors.push({
      pointer: '/rules',
      detail: `must contain at most ${MAX_PATH_PATTERNS} path patterns in total, including exceptions (got ${patterns})`,
    });
  }
  if (errors.length > 0) throw invalidBodyError(errors);
}

/** Rejects locations that browsers change, such as `/{path}?a`. They never equal the next requested path. */
function findLocationFault(location: string): string | null {
  const parts = location.split(PLACEHOLDER);
  if (parts.length > 2) return `must contain ${PLACEHOLDER} at most once`;
  if (location === `/${PLACEHOLDER}`) return 'must differ from the requested path';
  const path = location.replace(PLACEHOLDER, '');
  return URL.parse(`http://host${path}`)?.pathname === path
    ? null
    : 'must be a path that browsers request unchanged, without ?, #, \\, quotes, and . or .. segments';
}
