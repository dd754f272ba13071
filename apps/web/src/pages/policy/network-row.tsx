import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { deleteRule } from '../../actions/add-rule.js';
import { toErrorMessage } from '../../api/client.js';
import { policyQuery, type PolicyRule } from '../../api/policy.js';
import { overviewQuery } from '../../api/statistics.js';
import { toFilters } from '../../filters/visit-filters.js';
import { formatCount } from '../../format/count.js';
import { notify } from '../../notices/notices.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { useRange } from '../../range/use-range.js';
import { toAddressIn } from '../../rules/contains-network.js';
import { RECENT_SEARCH } from '../../rules/recent-agents.js';
import { TextLink } from '../../ui/text-link.js';
import classes from './policy.module.css';
import type { ExceptionLine } from './policy-rows.js';

interface NetworkVisitsProps {
  projectId: string;
  range: LinkedRange;
  exceptions: readonly ExceptionLine[];
}

/** Visits from the networks that rules name, including those by unknown visitors. Shows nothing without networks. */
export function NetworkVisits({ projectId, range, exceptions }: NetworkVisitsProps) {
  const address = [...new Set(exceptions.flatMap(({ rule }) => rule?.visitors?.networks ?? []))];
  const counted = useRange(projectId, RECENT_SEARCH);
  const { data } = useQuery({
    ...overviewQuery(projectId, { ...counted, compareFrom: 'none' }, { address, visitors: 'all' }),
    enabled: address.length > 0,
  });
  if (address.length === 0 || data === undefined) return null;
  return (
    <TextLink {...listLink(projectId, range)(toFilters({ address }))} size="sm">
      {formatCount(data.current.visits)}
      <span className="unseen"> visits from these networks</span>
    </TextLink>
  );
}

interface NetworkActionsProps {
  projectId: string;
  rule: PolicyRule;
  /** False for readers, and while changes aren't published: publishing them would restore the rule. */
  canRemove: boolean;
}

/** Proof that a rule for networks works, and a button that removes it. Shows nothing until the rule is published. */
export function NetworkActions({ projectId, rule, canRemove }: NetworkActionsProps) {
  const queryClient = useQueryClient();
  const { data: policy } = useQuery(policyQuery(projectId));
  const removing = useMutation({
    mutationFn: () => deleteRule(queryClient, projectId, rule),
    onSuccess: (undo) => notify({ text: `“${rule.name}” no longer applies.`, ...(undo !== null && { undo }) }),
    onError: (error) => notify({ text: `“${rule.name}” couldn’t be removed. ${toErrorMessage(error)}` }),
  });
  if (!policy?.rules.some(({ id }) => id === rule.id)) return null;
  return (
    <>
      {rule.mode === 'live' && (
        <TextLink
          to="/projects/$projectId/policy"
          params={{ projectId }}
          search={{ view: 'proof', address: toAddressIn(rule.visitors!.networks![0]!) }}
          size="xs"
        >
          See proof<span className="unseen"> of {rule.name}</span>
        </TextLink>
      )}
      {canRemove && (
        <button
          type="button"
          className={classes['edit']}
          disabled={removing.isPending}
          onClick={() => removing.mutate()}
        >
          Remove<span className="unseen"> {rule.name}</span>
        </button>
      )}
    </>
  );
}
