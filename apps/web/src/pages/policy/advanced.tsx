import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Project } from '../../api/client.js';
import {
  policyCountsQuery,
  policyVersionQuery,
  policyVersionsQuery,
  type CurrentPolicy,
  type PolicyRule,
  type RuleCount,
} from '../../api/policy.js';
import { formatCount } from '../../format/count.js';
import { Answer } from '../../ui/answer.js';
import { AnswerSkeleton } from '../../ui/answer-skeleton.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { countVisits } from './policy-rows.js';
import { PolicyVersions } from './policy-versions.js';
import { DAYS, useRecentAgents } from '../../rules/recent-agents.js';
import { RuleList } from './rule-list.js';

/** Time for which an added rule counts as new. */
const RECENT_MS = 86_400_000;

interface AdvancedProps {
  project: Project;
  rules: readonly PolicyRule[];
  published: CurrentPolicy;
  isReader: boolean;
  onChange: (rules: PolicyRule[]) => void;
  onAdd: () => void;
  onEdit: (rule: PolicyRule) => void;
}

/** Ordered list of all rules, and earlier versions. */
export default function Advanced({ project, rules, published, isReader, onChange, onAdd, onEdit }: AdvancedProps) {
  const projectId = project.id;
  const { data: counted } = useQuery(policyCountsQuery(projectId));
  const before = usePreviousRules(projectId, published);
  return (
    <>
      {rules.length > 0 && <Decided project={project} counts={counted?.counts} />}
      <Section
        title="Rules in order"
        lead="The first rule that matches a request applies. Rules never apply to /robots.txt and paths below /.well-known/. Counts are from the last 30 days."
        actions={
          !isReader && (
            <Button size="compact-sm" variant="default" onClick={onAdd}>
              Add rule
            </Button>
          )
        }
      >
        {rules.length === 0 ? (
          <EmptyState title="No rules">
            {isReader
              ? 'Ask a member of the project to add one.'
              : 'All agents are allowed. Choose a response under Agents, or add a rule for other cases.'}
          </EmptyState>
        ) : (
          <RuleList
            projectId={projectId}
            rules={rules}
            counts={counted?.counts ?? []}
            isNew={({ id }) => before !== undefined && before.every((rule) => rule.id !== id)}
            isPublished={({ id }) => published.rules.some((rule) => rule.id === id)}
            isReader={isReader}
            onChange={onChange}
            onEdit={onEdit}
          />
        )}
      </Section>
      <PolicyVersions
        project={project}
        current={published.version?.id ?? null}
        isReader={isReader}
        onRestore={onChange}
      />
    </>
  );
}

/** Returns the rules from before the latest changes: the published ones, or those before a recent publication. */
function usePreviousRules(projectId: string, { version, rules }: CurrentPolicy): readonly PolicyRule[] | undefined {
  const isRecent = version !== null && Date.now() - Date.parse(version.saved_at) < RECENT_MS;
  const { data: versions } = useQuery({ ...policyVersionsQuery(projectId, version?.id ?? null), enabled: isRecent });
  const previous = versions?.[1];
  const { data } = useQuery({
    ...policyVersionQuery(projectId, previous?.id ?? ''),
    enabled: isRecent && previous !== undefined,
  });
  if (!isRecent) return rules;
  return versions?.length === 1 ? [] : data?.rules;
}

interface DecidedProps {
  project: Project;
  /** Undefined until they've loaded. */
  counts: readonly RuleCount[] | undefined;
}

/** States on how many of all requests live rules decided. */
function Decided({ project, counts }: DecidedProps) {
  const { query } = useRecentAgents(project.id);
  const decided = counts?.filter(({ mode }) => mode === 'live').reduce((sum, { decisions }) => sum + decisions, 0);
  const requests = query.data?.agents.reduce((sum, agent) => sum + countVisits(agent), 0);
  if (requests === undefined || decided === undefined) return query.isError ? null : <AnswerSkeleton />;
  return (
    <Answer
      notes={
        <>
          The others matched no live rule or didn’t pass through your proxy. Rules decide when a request arrives.{' '}
          <TextLink
            to="/projects/$projectId/verification"
            params={{ projectId: project.id }}
            search={{ range: '30d' }}
            inherit
          >
            Verification
          </TextLink>{' '}
          may judge it on later evidence, so its numbers differ.
        </>
      }
    >
      Live rules decided on <strong>{formatCount(decided)}</strong> of {formatCount(requests)} requests by agents in the
      last {DAYS} days.
    </Answer>
  );
}
