import { Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { disallowedVisitsQuery, type ComplianceAgent } from '../../api/compliance.js';
import { BarList } from '../../charts/bar-list.js';
import { formatCount } from '../../format/count.js';
import { agentLink } from '../../range/list-link.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { DescriptionList } from '../../ui/description-list.js';
import { Failure } from '../../ui/failure.js';
import { formatFullTime } from '../../ui/relative-time.js';
import { SideDrawer } from '../../ui/side-drawer.js';
import { TextLink } from '../../ui/text-link.js';
import { countJudged } from '../../rules/judged-visits.js';
import { COUNT_FILTERS, forAgent, visitsLink } from '../../rules/judged-visit-links.js';

export interface AgentDrawerProps {
  projectId: string;
  agent: ComplianceAgent;
  range: Range;
  linked: LinkedRange;
  timeZone: string;
  onClose: () => void;
}

/** Details on an agent's disallowed visits: robots.txt lines, paths, and earlier robots.txt fetches. */
export default function AgentDrawer({ projectId, agent, range, linked, timeZone, onClose }: AgentDrawerProps) {
  const { data, error } = useQuery(disallowedVisitsQuery(projectId, agent.agent_id, range));
  const link = visitsLink(projectId, linked);
  const renderTime = (at: string | null) =>
    at === null ? null : <time dateTime={at}>{formatFullTime(at, timeZone)}</time>;
  const renderCount = (visits: number, set: (typeof COUNT_FILTERS)[keyof typeof COUNT_FILTERS]) =>
    visits === 0 ? (
      '0'
    ) : (
      <TextLink {...link(forAgent(agent, set))} size="sm">
        {formatCount(visits)}
      </TextLink>
    );
  return (
    <SideDrawer title={agent.agent_token ?? 'No longer in the catalog'} onClose={onClose}>
      <Stack>
        <DescriptionList
          facts={[
            ['Operator', agent.operator_name],
            ['Type', agent.agent_type_name],
            ['Judged visits', formatCount(countJudged(agent))],
            ['Disallowed', renderCount(agent.disallowed, COUNT_FILTERS.disallowed)],
            ['Of these, verified', renderCount(agent.disallowed_verified, COUNT_FILTERS.verified)],
            ['Served (below 400)', renderCount(agent.disallowed_served, COUNT_FILTERS.served)],
            ['Blocked (403)', renderCount(agent.disallowed_forbidden, COUNT_FILTERS.forbidden)],
            ['Allowed but blocked', renderCount(agent.allowed_forbidden, COUNT_FILTERS.conflicts)],
            ['Disallowed, failed verification', renderCount(agent.spoofed_disallowed, COUNT_FILTERS.spoofed)],
            ['First disallowed', renderTime(agent.first_disallowed_at)],
            ['Last disallowed', renderTime(agent.last_disallowed_at)],
            ['Last robots.txt fetch', renderTime(agent.last_robots_fetch_at) ?? 'Not in this range'],
          ]}
        />
        <Text size="sm">{formatRobotsFetches(agent)}</Text>
        {error !== null && <Failure error={error} title="Couldn't load lines and paths" />}
        {data === undefined && error === null && (
          <Loader size="sm" role="status" aria-label="Loading lines and paths" />
        )}
        {data !== undefined && (
          <>
            <BarList
              title="Lines"
              empty="No lines disallowed a visit."
              lead="Lines and line numbers in the robots.txt in force at the time."
              bars={data.lines.map(({ version, line, text, visits }) => ({
                key: `${version} ${line}`,
                label: text ?? 'From a version that’s no longer stored',
                detail: `line ${line}`,
                visits,
              }))}
            />
            <BarList
              title="Paths"
              empty="No disallowed paths."
              bars={data.paths.map(({ path, visits }) => ({
                key: path,
                label: path,
                visits,
                link: link(forAgent(agent, { page: [path], ...COUNT_FILTERS.disallowed })),
              }))}
            />
          </>
        )}
        <TextLink {...agentLink(projectId, agent.agent_id, linked)} size="sm">
          View agent details
        </TextLink>
      </Stack>
    </SideDrawer>
  );
}

function formatRobotsFetches({ read_before: { visits, of }, last_robots_fetch_at: fetched }: ComplianceAgent): string {
  if (of === 0) return 'No disallowed visits to compare with its robots.txt fetches.';
  if (fetched === null) return 'It didn’t fetch robots.txt in this range or in the 24 hours before its visits.';
  const share = visits === of ? (of === 1 ? 'The disallowed visit' : `All ${formatCount(of)} disallowed visits`) : null;
  const some = `${formatCount(visits)} of ${formatCount(of)} disallowed visits`;
  return `${share ?? some} came within 24 hours of a robots.txt fetch.`;
}
