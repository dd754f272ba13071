import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Project } from '../../api/client.js';
import { policyVersionQuery, policyVersionsQuery, type PolicyRule } from '../../api/policy.js';
import { Failure } from '../../ui/failure.js';
import listClasses from '../../ui/list.module.css';
import { formatFullTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { summarizeChanges } from '../../rules/rule-changes.js';

const MAX_SHOWN = 10;

interface PolicyVersionsProps {
  project: Project;
  /** ID of the published version. */
  current: string | null;
  isReader: boolean;
  onRestore: (rules: PolicyRule[]) => void;
}

/** Earlier versions of the rules. Restoring one only changes the draft, which is then reviewed and published. */
export function PolicyVersions({ project, current, isReader, onRestore }: PolicyVersionsProps) {
  const { data: versions } = useQuery(policyVersionsQuery(project.id, current));
  const details = useQueries({
    // Each version is compared with the one before.
    queries: (versions ?? []).slice(0, MAX_SHOWN + 1).map(({ id }) => policyVersionQuery(project.id, id)),
  });
  const queryClient = useQueryClient();
  const restoring = useMutation({
    mutationFn: (versionId: string) => queryClient.fetchQuery(policyVersionQuery(project.id, versionId)),
    onSuccess: ({ rules }) => onRestore(rules),
  });
  // Otherwise, the summaries would move the list.
  if (versions === undefined || versions.length === 0 || details.some(({ isPending }) => isPending)) return null;
  const summarize = (index: number): string | null => {
    const rules = details[index]?.data?.rules;
    // Projects start without rules.
    const previous = index + 1 < versions.length ? details[index + 1]?.data?.rules : [];
    return rules === undefined || previous === undefined ? null : summarizeChanges(previous, rules);
  };
  return (
    <Section title="Versions" lead="You can review the changes before you publish a restored version.">
      {restoring.isError && <Failure error={restoring.error} title="Couldn't load the version" />}
      <ul className={listClasses['list']}>
        {versions.slice(0, MAX_SHOWN).map(({ id, rules, saved_at: savedAt, saved_by: savedBy }, index) => {
          const time = formatFullTime(savedAt, project.time_zone);
          const summary = summarize(index);
          return (
            <li key={id} className={listClasses['item']}>
              <Group justify="space-between" gap="xs" wrap="nowrap">
                <div>
                  {summary !== null && (
                    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                      {summary}
                    </Text>
                  )}
                  <Text size="xs" c="dimmed">
                    <time title={savedAt}>{time}</time>
                    {savedBy === null ? project.is_demo && ' · Sample version' : ` by ${savedBy}`} ·{' '}
                    {rules === 1 ? '1 rule' : `${rules} rules`}
                  </Text>
                </div>
                {id === current ? (
                  <Text size="sm" c="dimmed" flex="none">
                    Current
                  </Text>
                ) : (
                  !isReader && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      flex="none"
                      loading={restoring.isPending && restoring.variables === id}
                      onClick={() => restoring.mutate(id)}
                    >
                      Restore<span className="unseen"> the version of {time}</span>
                    </Button>
                  )
                )}
              </Group>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
