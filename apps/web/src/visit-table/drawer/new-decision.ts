import type { PolicyRule } from '#libs/contracts';
import type { Visit } from '../../api/client.js';
import { findResponse, type Decision } from '../../rules/agent-response.js';

/** Returns true if rules never apply to a visit's path: /robots.txt, and paths below /.well-known/. */
export function isExempt({ visit: { request_path: path } }: Pick<Visit, 'visit'>): boolean {
  const pathname = URL.canParse(path, 'http://host') ? new URL(path, 'http://host').pathname : path;
  return pathname === '/robots.txt' || pathname.startsWith('/.well-known/');
}

/**
 * Returns the live decision on a visitor, or null if it was already made for the visit, or if rules or exceptions for
 * certain requests could decide first.
 */
export function findNewDecision(
  rules: readonly PolicyRule[],
  item: Pick<Visit, 'visit' | 'client_address' | 'decisions' | 'identification'>,
): Decision | null {
  if (isExempt(item)) return null;
  const { client_address: address, decisions, identification } = item;
  const { live } = findResponse(rules, {
    ...identification,
    results: [identification.result],
    ...(address !== null && { network: address }),
  });
  if (live === null) return null;
  const before = rules.slice(0, rules.indexOf(live.rule)).filter(({ mode }) => mode === 'live');
  if ([...before, ...(live.rule.exceptions ?? [])].some(({ requests }) => requests !== undefined)) return null;
  // Decisions of exceptions have the exception's ID.
  const ids = new Set([live.rule, ...(live.rule.exceptions ?? [])].map(({ id }) => id));
  return decisions?.some(({ mode, rule_id: id }) => mode === 'live' && ids.has(id)) ? null : live;
}
