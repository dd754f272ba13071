import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { deleteRule } from '../actions/add-rule.js';
import { insertRule, saveRule } from '../actions/save-rule.js';
import type { Project } from '../api/client.js';
import { policyQuery, type PolicyRule } from '../api/policy.js';
import { notify } from '../notices/notices.js';
import { Failure } from '../ui/failure.js';
import { SideDrawer } from '../ui/side-drawer.js';
import { useRecentAgents } from './recent-agents.js';
import { RuleForm } from './rule-form.js';

interface RuleDrawerProps {
  project: Project;
  /** Rule to edit, or null for a new one. */
  rule: PolicyRule | null;
  /** True to add an exception for an agent, before all other rules. */
  isException?: boolean;
  /** Confirms that the rule goes live instead of editing it. */
  isGoingLive?: boolean;
  /** Rules that aren't published yet. The change is added to them instead of being published. */
  draft?: { rules: readonly PolicyRule[]; onChange: (rules: PolicyRule[]) => void } | undefined;
  onSaved?: () => void;
  onClose: () => void;
}

/** Drawer that edits or adds a rule, with a forecast of its effect. */
export default function RuleDrawer(props: RuleDrawerProps) {
  const { project, rule, isException = false, isGoingLive = false, draft, onSaved, onClose } = props;
  const queryClient = useQueryClient();
  const { data: policy } = useQuery(policyQuery(project.id));
  const { query: recent } = useRecentAgents(project.id);
  const { ruleId } = useParams({ strict: false });
  const verb = isGoingLive ? 'Go live with' : 'Edit';
  const title = isException ? 'Add exception' : rule === null ? 'Add rule' : `${verb} “${rule.name}”`;
  const place = (after: PolicyRule): PolicyRule[] =>
    insertRule(draft?.rules ?? policy?.rules ?? [], { before: rule, after, isFirst: isException });
  const save = async (after: PolicyRule): Promise<void> => {
    if (draft !== undefined) draft.onChange(place(after));
    else {
      const undo = await saveRule(queryClient, project.id, { before: rule, after, isFirst: isException });
      const isOnPage = after.id === ruleId;
      notify({ text: describeSaved(after), ...(!isOnPage && { link: toEffect(project.id, after) }), undo });
      onSaved?.();
    }
    onClose();
  };
  const deleting = useMutation({
    mutationFn: async (deleted: PolicyRule): Promise<void> => {
      if (draft !== undefined) return draft.onChange(draft.rules.filter(({ id }) => id !== deleted.id));
      const undo = await deleteRule(queryClient, project.id, deleted);
      notify({ text: `“${deleted.name}” was deleted.`, ...(undo !== null && { undo }) });
      onSaved?.();
    },
    onSuccess: onClose,
  });
  return (
    <SideDrawer title={title} onClose={onClose}>
      {deleting.isError && <Failure title="Couldn't delete the rule" error={deleting.error} />}
      <RuleForm
        project={project}
        rule={rule}
        isGoingLive={isGoingLive}
        isException={isException}
        agentTokens={(recent.data?.agents ?? []).flatMap(({ agent_token: token }) => token ?? [])}
        submit={draft === undefined ? 'Save and publish' : 'Add to your changes'}
        place={place}
        onSave={save}
        onDelete={rule === null || isGoingLive ? undefined : () => deleting.mutate(rule)}
        isDeleting={deleting.isPending}
        onClose={onClose}
      />
    </SideDrawer>
  );
}

const STATES: Record<PolicyRule['mode'], string> = {
  live: 'is live and takes effect within a few seconds.',
  dry_run: 'runs as a dry run. It only counts requests.',
  off: 'is off.',
};

const describeSaved = ({ name, mode }: PolicyRule): string => `“${name}” ${STATES[mode]}`;

const toEffect = (projectId: string, { id }: PolicyRule) => ({
  label: 'See the effect',
  to: '/projects/$projectId/policy/rules/$ruleId' as const,
  params: { projectId, ruleId: id },
});
