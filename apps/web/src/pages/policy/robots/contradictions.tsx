import { Code, Group, Stack, Text } from '@mantine/core';
import type { PermissionMatrixItem, Permissions, PermissionStatement } from '../../../api/permissions.js';
import { formatCount } from '../../../format/count.js';
import classes from '../../../ui/list.module.css';
import { formatFullTime } from '../../../ui/relative-time.js';
import { TextLink } from '../../../ui/text-link.js';
import { PURPOSES } from './purposes.js';

const MAX_AGENTS = 5;

interface ContradictionsProps {
  project: { id: string; time_zone: string };
  permissions: Permissions;
  contradictions: PermissionMatrixItem['contradictions'];
}

/** Lists the permissions that more restrictive statements override, with the visits that show it. */
export function Contradictions({ project, permissions, contradictions }: ContradictionsProps) {
  const labels = new Map(permissions.mechanisms.map(({ mechanism, label }) => [mechanism, label]));
  return (
    <ul className={classes['list']}>
      {contradictions.map(({ purpose, mechanism, permissions: granting, restrictions, agents, visits, examples }) => {
        const refusing = [...new Set(restrictions.map((statement) => labels.get(statement.mechanism)!))].join(', ');
        return (
          <li key={`${purpose} ${mechanism}`} className={classes['item']}>
            <Stack gap={4}>
              <Text size="sm" fw={500}>
                {PURPOSES.find(({ key }) => key === purpose)!.label}: allowed by {labels.get(mechanism)}, not by{' '}
                {refusing}
              </Text>
              <details>
                <Text component="summary" size="xs" c="dimmed" lh="24px">
                  Lines and responses
                </Text>
                <Statements statements={[...granting, ...restrictions]} />
              </details>
              {agents.length > 0 && (
                <Text size="xs" c="dimmed">
                  Applies to {agents.slice(0, MAX_AGENTS).join(', ')}
                  {agents.length > MAX_AGENTS && ` and ${formatCount(agents.length - MAX_AGENTS)} more agents`}
                </Text>
              )}
              {examples.length === 0 ? (
                <Text size="xs" c="dimmed">
                  No visits by these agents
                </Text>
              ) : (
                <>
                  <Text size="xs" c="dimmed">
                    {formatCount(visits)} {visits === 1 ? 'visit' : 'visits'}, for example:
                  </Text>
                  <Group gap="xs">
                    {examples.map(({ id, occurred_at: time, agent_token: agent, path, status }) => (
                      <TextLink
                        key={id}
                        to="/projects/$projectId/realtime"
                        params={{ projectId: project.id }}
                        search={{ visit: id }}
                        size="xs"
                        title={formatFullTime(time, project.time_zone)}
                        style={{ overflowWrap: 'anywhere', lineHeight: '24px' }}
                      >
                        {agent} {path} {status ?? ''}
                      </TextLink>
                    ))}
                  </Group>
                </>
              )}
            </Stack>
          </li>
        );
      })}
    </ul>
  );
}

function Statements({ statements }: { statements: readonly PermissionStatement[] }) {
  return (
    <Group gap={6}>
      {statements.map(({ text, line, outcome, mechanism }) => (
        <Code key={`${mechanism} ${outcome} ${line} ${text}`} style={{ overflowWrap: 'anywhere' }}>
          {line !== null && `${line}: `}
          {text}
        </Code>
      ))}
    </Group>
  );
}
