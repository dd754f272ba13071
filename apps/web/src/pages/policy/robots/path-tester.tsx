import { decideRobotsAccess, findGroups, parseRobotsFile, type RobotsDecision } from '#libs/robots';
import { Code, Group, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RuleFormat } from '../../../api/rules-queries.js';
import { Failure } from '../../../ui/failure.js';
import { Icon } from '../../../ui/icon.js';
import { Section } from '../../../ui/section.js';
import { DebouncedInput } from '../../../ui/debounced-input.js';
import { robotsNameQuery } from './robots-name.js';
import type { RobotsSearch } from './search.js';
import { isRobotsTxt } from '../../../rules/robots-format.js';

interface PathTesterProps {
  text: string;
  format: RuleFormat;
  /** User-Agent header or robots.txt token. */
  as: string;
  at: string;
  onChange: (change: Partial<RobotsSearch>) => void;
}

/** Shows whether the rendered robots.txt allows an agent to fetch a path, and which line decides. */
export function PathTester({ text, format, as, at, onChange }: PathTesterProps) {
  const file = useMemo(
    () => (isRobotsTxt(format) ? parseRobotsFile(new TextEncoder().encode(text), Infinity) : null),
    [text, format],
  );
  const name = useQuery({ ...robotsNameQuery(as), enabled: as !== '' && file !== null });
  if (file === null) return null;
  const path = at.startsWith('/') ? at : `/${at}`;
  return (
    <Section title="Test a path" lead="Tests the file above according to RFC 9309. The longest matching rule applies.">
      <Group gap="sm" align="end">
        <DebouncedInput
          label="User-Agent or robots.txt token"
          placeholder="GPTBot"
          value={as}
          w="20rem"
          maw="100%"
          spellCheck={false}
          onTyped={(value) => onChange({ as: value || undefined })}
        />
        <DebouncedInput
          label="Path"
          value={at}
          w="14rem"
          maw="100%"
          spellCheck={false}
          onTyped={(value) => onChange({ at: value || undefined })}
        />
      </Group>
      <div role="status">
        {as === '' && (
          <Text size="sm" c="dimmed">
            Enter an agent, such as GPTBot, or * for any agent.
          </Text>
        )}
        {as !== '' && name.isPending && <Loader size="xs" role="img" aria-label="Looking up the agent" />}
        {as !== '' && name.data && (
          <>
            {name.data.note !== null && (
              <Text size="sm" c="dimmed">
                {name.data.note}
              </Text>
            )}
            <Decision
              decision={decideRobotsAccess(file, name.data.token, path)}
              token={name.data.token}
              isNamed={findGroups(file, name.data.token).length > 0}
            />
          </>
        )}
      </div>
      {as !== '' && name.isError && <Failure error={name.error} title="Couldn't look up the agent" />}
    </Section>
  );
}

function Decision({ decision, token, isNamed }: { decision: RobotsDecision; token: string; isNamed: boolean }) {
  const { isAllowed, reason } = decision;
  const who = token === '*' ? 'anybody' : token;
  return (
    <>
      <Group gap={6} c={isAllowed ? 'var(--verified)' : 'var(--failed)'} fw={600}>
        <Icon name={isAllowed ? 'check' : 'failed'} size={16} />
        {isAllowed ? 'Allowed' : 'Not allowed'} for {who}
      </Group>
      <Text size="sm">
        {reason === 'rule' && (
          <>
            Line {decision.rule.line} decides: <Code>{decision.rule.text}</Code>, for{' '}
            <Code>{decision.userAgent.text}</Code> on line {decision.userAgent.line}.
          </>
        )}
        {reason === 'no_rule' && isNamed && 'A group names this agent, but none of its rules match the path.'}
        {reason === 'no_group' && 'No group applies to this agent, so everything is allowed.'}
        {reason === 'robots_txt' && 'All crawlers may fetch robots.txt itself.'}
      </Text>
    </>
  );
}
