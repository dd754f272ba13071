import { Button } from '@mantine/core';
import type { Project } from '../../api/client.js';
import type { PolicyRule } from '../../api/policy.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { PolicyVersions } from './policy-versions.js';
import { RuleList } from './rule-list.js';

interface AdvancedProps {
  project: Project;
  rules: readonly PolicyRule[];
  /** ID of the published version. */
  version: string | null;
  isReader: boolean;
  onChange: (rules: PolicyRule[]) => void;
  onAdd: () => void;
  onEdit: (rule: PolicyRule) => void;
}

/** Ordered list of all rules, and earlier versions. */
export default function Advanced({ project, rules, version, isReader, onChange, onAdd, onEdit }: AdvancedProps) {
  const projectId = project.id;
  return (
    <>
      <Section
        title="Rules in order"
        lead={
          <>
            The first rule that matches a request applies. Rules never apply to /robots.txt and paths below
            /.well-known/. Counts are decisions in the last 30 days, made when each request arrived.{' '}
            <TextLink to="/projects/$projectId/verification" params={{ projectId }} search={{ range: '30d' }} inherit>
              Verification
            </TextLink>{' '}
            may judge a visit on later evidence, so its numbers differ.
          </>
        }
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
          <RuleList projectId={projectId} rules={rules} isReader={isReader} onChange={onChange} onEdit={onEdit} />
        )}
      </Section>
      <PolicyVersions project={project} current={version} isReader={isReader} onRestore={onChange} />
    </>
  );
}
