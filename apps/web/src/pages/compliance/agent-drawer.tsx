import { Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { disregardedQuery, type ComplianceAgent } from '../../api/compliance.js';
import { BarList } from '../../charts/bar-list.js';
import { countText } from '../../format/count.js';
import { agentLink } from '../../range/list-link.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { DescriptionList } from '../../ui/description-list.js';
import { Failure } from '../../ui/failure.js';
import { fullTime } from '../../ui/relative-time.js';
import { SideDrawer } from '../../ui/side-drawer.js';
import { TextLink } from '../../ui/text-link.js';
import { judgedOf } from './judged.js';
import { COUNTED, ofAgent, visitsLink } from './visit-links.js';

export interface AgentDrawerProps {
  projectId: string;
  agent: ComplianceAgent;
  range: Range;
  linked: LinkedRange;
  timeZone: string;
  onClose: () => void;
}

/** Details of an agent's disallowed visits: lines of robots.txt, paths, and earlier fetches of robots.txt. */
export default function AgentDrawer({ projectId, agent, range, linked, timeZone, onClose }: AgentDrawerProps) {
  const { data, error } = useQuery(disregardedQuery(projectId, agent.agent_id, range));
  const link = visitsLink(projectId, linked);
  const time = (at: string | null) => (at === null ? null : <time dateTime={at}>{fullTime(at, timeZone)}</time>);
  const number = (visits: number, set: (typeof COUNTED)[keyof typeof COUNTED]) =>
    visits === 0 ? (
      '0'
    ) : (
      <TextLink {...link(ofAgent(agent, set))} size="sm">
        {countText(visits)}
      </TextLink>
    );
  return (
    <SideDrawer title={agent.agent_token ?? 'No longer in the catalog'} onClose={onClose}>
      <Stack>
        <DescriptionList
          facts={[
            ['Operator', agent.operator_name],
            ['Type', agent.agent_type_name],
            ['Visits judged', countText(judgedOf(agent))],
            ['Disallowed', number(agent.disallowed, COUNTED.disallowed)],
            ['Of these, verified', number(agent.disallowed_verified, COUNTED.verified)],
            ['Served (below 400)', number(agent.disallowed_served, COUNTED.served)],
            ['Blocked (403)', number(agent.disallowed_forbidden, COUNTED.forbidden)],
            ['Conflicts (allowed, 403)', number(agent.allowed_forbidden, COUNTED.conflicts)],
            ['Spoofed, disallowed', number(agent.spoofed_disallowed, COUNTED.spoofed)],
            ['First disallowed', time(agent.first_disallowed_at)],
            ['Last disallowed', time(agent.last_disallowed_at)],
            ['Last read robots.txt', time(agent.last_robots_fetch_at) ?? 'Not in this range'],
          ]}
        />
        <Text size="sm">{knewText(agent)}</Text>
        {error !== null && <Failure error={error} title="Lines and paths can't be shown" />}
        {data === undefined && error === null && (
          <Loader size="sm" role="status" aria-label="Loading lines and paths" />
        )}
        {data !== undefined && (
          <>
            <BarList
              title="Lines"
              empty="No line disallowed a visit."
              lead="Of the robots.txt that was in force, with the number of the line."
              bars={data.lines.map(({ version, line, text, visits }) => ({
                key: `${version} ${line}`,
                label: text ?? 'Of a version that is no longer kept',
                detail: `line ${line}`,
                visits,
              }))}
            />
            <BarList
              title="Paths"
              empty="No path was disallowed."
              bars={data.paths.map(({ path, visits }) => ({
                key: path,
                label: path,
                visits,
                link: link(ofAgent(agent, { page: [path], ...COUNTED.disallowed })),
              }))}
            />
          </>
        )}
        <TextLink {...agentLink(projectId, agent.agent_id, linked)} size="sm">
          All about this agent
        </TextLink>
      </Stack>
    </SideDrawer>
  );
}

/** Describes how many disallowed visits followed a fetch of robots.txt. */
function knewText({ read_before: { visits, of }, last_robots_fetch_at: fetched }: ComplianceAgent): string {
  if (of === 0) return 'No disallowed visit to compare with its fetches of robots.txt.';
  if (fetched === null) return 'It did not fetch robots.txt in this range, nor in the 24 hours before its visits.';
  const share = visits === of ? (of === 1 ? 'The disallowed visit' : `All ${countText(of)} disallowed visits`) : null;
  const some = `${countText(visits)} of ${countText(of)} disallowed visits`;
  return `${share ?? some} came within 24 hours after it had fetched robots.txt.`;
}
