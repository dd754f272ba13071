import type { PolicyRule } from '#libs/contracts';
import type { AuditEntry, AuditFilters } from '../api/audit.js';
import { summarizeChanges } from '../rules/rule-changes.js';

const toRules = ({ after }: AuditEntry): PolicyRule[] => (after?.['rules'] ?? []) as PolicyRule[];

/**
 * Describes what each published policy changed, by entry ID, such as "“Block 203.0.113.0/24” went live".
 *
 * @param entries Newest first.
 * @param filters Filters of the entries, which can hide the policy published before.
 * @param hasMore True if there are older entries that aren't loaded.
 */
export function describePolicyChanges(
  entries: readonly AuditEntry[],
  { actor, from }: AuditFilters,
  hasMore: boolean,
): ReadonlyMap<string, string> {
  const changes = new Map<string, string>();
  if (actor !== undefined) return changes;
  const published = entries.filter(({ subject, change }) => subject.type === 'policy_version' && change === 'created');
  for (const [index, entry] of published.entries()) {
    const previous = published.slice(index + 1).find(({ project_id: id }) => id === entry.project_id);
    // Projects start without rules.
    if (previous === undefined && (hasMore || from !== undefined)) continue;
    changes.set(entry.id, summarizeChanges(previous === undefined ? [] : toRules(previous), toRules(entry)));
  }
  return changes;
}
