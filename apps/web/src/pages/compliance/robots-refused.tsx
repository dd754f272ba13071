import { Alert, Text } from '@mantine/core';
import type { Compliance } from '../../api/compliance.js';
import { formatCount } from '../../format/count.js';
import type { LinkedRange } from '../../range/range.js';
import { Icon } from '../../ui/icon.js';
import { TextLink } from '../../ui/text-link.js';
import { forAgent, visitsLink } from '../../rules/judged-visit-links.js';

/** Number of agents listed. */
const MAX_AGENTS = 5;

interface RobotsRefusedProps {
  projectId: string;
  refused: NonNullable<Compliance['robots_refused']>;
  linked: LinkedRange;
}

/** Warns that agents get something else than robots.txt. */
export function RobotsRefused({ projectId, refused, linked }: RobotsRefusedProps) {
  const { visits, fetches, answers, agents } = refused;
  const link = visitsLink(projectId, linked);
  // Visits can't be filtered by content type, so links to answers with HTML include all successful requests.
  const status = [answers.html > 0 ? '2xx' : '202', '4xx', '5xx'];
  const parts = (
    [
      [answers.html, 'got HTML'],
      [answers.challenge, 'got a challenge (status 202)'],
      [answers.refused, 'were refused (401, 403, 429, or another 4xx)'],
      [answers.error, 'got a server error'],
    ] as const
  ).filter(([count]) => count > 0);
  const others = agents.length - MAX_AGENTS;
  const toLink = (agent: (typeof agents)[number]) => (
    <TextLink
      {...link(
        forAgent(agent, {
          page: ['/robots.txt'],
          status,
          not_status: ['404', '410'],
          not_result: ['verification_failed'],
        }),
      )}
      size="sm"
    >
      {formatCount(agent.visits)}
      <span className="unseen">
        {' '}
        {agent.visits === 1 ? 'request' : 'requests'} by {agent.agent_token} that didn’t get robots.txt
      </span>
    </TextLink>
  );
  return (
    <Alert
      color="gray"
      variant="outline"
      icon={<Icon name="failed" />}
      title="Agents can’t read robots.txt"
      role="note"
      bg="var(--mantine-color-body)"
      bd="1px solid var(--card-border)"
    >
      <Text size="sm">
        {agents.length === 1 ? toLink(agents[0]!) : formatCount(visits)} of {formatCount(fetches)} requests for
        /robots.txt by{' '}
        {agents.length === 1
          ? (agents[0]!.agent_token ?? 'an agent no longer in the catalog')
          : `${formatCount(agents.length)} agents`}{' '}
        didn’t get the file: {parts.map(([count, text]) => `${formatCount(count)} ${text}`).join(', ')}. Allow
        /robots.txt in your firewall, even for agents that you block.
      </Text>
      {agents.length > 1 && (
        <Text size="sm" mt={4}>
          {agents.slice(0, MAX_AGENTS).map((agent, index) => (
            <span key={agent.agent_id}>
              {index > 0 && ', '}
              {agent.agent_token ?? 'No longer in the catalog'} {toLink(agent)}
            </span>
          ))}
          {others > 0 && ` and ${formatCount(others)} more`}
        </Text>
      )}
    </Alert>
  );
}
