import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, type ReactNode } from 'react';
import { describeAutomationSign } from '#libs/agents/vocabulary';
import { AgentActions } from '../../actions/agent-actions.js';
import { client, data, toErrorMessage, type Project } from '../../api/client.js';
import { unlistedUserAgentsKey, type Suspicion, type UnlistedGroup } from '../../api/unlisted-user-agents.js';
import { notify } from '../../notices/notices.js';
import { formatCount } from '../../format/count.js';
import { formatNetwork, formatShortNetwork } from '../../format/network.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { TextLink } from '../../ui/text-link.js';
import { getVisitorName } from '../../format/program-name.js';
import classes from './unlisted-table.module.css';

interface UnlistedTableProps {
  project: Project;
  groups: readonly UnlistedGroup[];
  range: Range;
  /** Range for links to the visit list. */
  linked: LinkedRange;
  /** Automation verdicts that the visit counts include, or null for all. */
  suspicions: Suspicion[] | null;
  timeZone: string;
  /** Introduction, shown next to the table's tools. */
  lead: ReactNode;
}

const networkText = ({ prefix, client_network: owner }: UnlistedGroup['networks'][number]): string =>
  [formatNetwork(owner), prefix].filter(Boolean).join(' ');

/** User agents that match no agent in the catalog. */
export function UnlistedTable(props: UnlistedTableProps) {
  const { project, groups, range, linked, suspicions, timeZone, lead } = props;
  const visitsLink = listLink(project.id, linked);
  const automation = suspicions?.join() ?? 'likely,unclear';
  const queryClient = useQueryClient();
  const body = useRef<HTMLDivElement>(null);
  const dismiss = useMutation({
    mutationFn: async (group: string) => {
      const params = { path: { id: project.id } };
      const { id: dismissedId } = await data(
        client.POST('/api/projects/{id}/dismissed-user-agents', { params, body: { user_agent_group: group } }),
      );
      const refresh = (): Promise<void> =>
        queryClient.invalidateQueries({ queryKey: unlistedUserAgentsKey(project.id) });
      await refresh();
      notify({
        text: `${getVisitorName(group)} was dismissed.`,
        undo: async () => {
          const path = { ...params.path, dismissedId };
          await data(client.DELETE('/api/projects/{id}/dismissed-user-agents/{dismissedId}', { params: { path } }));
          await refresh();
          return `${getVisitorName(group)} was restored.`;
        },
      });
      // Move the focus, because the refetch removes the focused button.
      body.current?.focus({ preventScroll: true });
    },
  });
  const columns: readonly TableColumn<UnlistedGroup>[] = [
    {
      key: 'group',
      label: 'User agent',
      isHead: true,
      value: (group) => group.user_agent_group,
      cell: (group) => <Description group={group} visitsLink={visitsLink} />,
      style: { width: '100%' },
    },
    {
      key: 'visits',
      label: 'Visits',
      isNumber: true,
      value: (group) => group.visits,
      cell: ({ user_agent_group: group, visits }) => (
        <TextLink {...visitsLink({ automation, user_agent_group: group })} size="sm">
          {formatCount(visits)}
          <span className="unseen"> visits by {group}</span>
        </TextLink>
      ),
      narrow: { after: 'visits' },
    },
    {
      key: 'signs',
      label: 'Signs',
      isOnlyExported: true,
      value: ({ signs }) => signs.map((sign) => describeAutomationSign(sign).label).join(', '),
    },
    {
      key: 'networks',
      label: 'Networks',
      isOnlyExported: true,
      value: ({ networks }) => networks.map(networkText).join(', '),
    },
    { key: 'paths', label: 'Paths', isOnlyExported: true, value: ({ paths }) => paths.join(' ') },
    {
      key: 'first',
      label: 'First seen',
      isTime: true,
      value: (group) => group.first_seen_at,
      narrow: { before: 'First seen', isSoft: true },
    },
    {
      key: 'last',
      label: 'Last seen',
      isTime: true,
      value: (group) => group.last_seen_at,
      narrow: { before: 'Last seen', isSoft: true },
    },
    {
      key: 'actions',
      label: 'Actions',
      cell: (group) => (
        <span className={classes['actions']}>
          {project.role !== 'viewer' && (
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              disabled={dismiss.isPending}
              onClick={() => dismiss.mutate(group.user_agent_group)}
            >
              Dismiss<span className="unseen"> {group.user_agent_group}</span>
            </Button>
          )}
          <AgentActions
            project={project}
            loadFinding={async () =>
              (await import('../../actions/agent-findings.js')).toUnlistedFinding(group, {
                range,
                timeZone,
                visits: visitsLink({ automation, user_agent_group: group.user_agent_group }),
              })
            }
            of={group.user_agent_group}
            isCompact
            // A rule can block the network, but not the user agent.
            canBlock={group.networks.length === 1}
            requests={group.networks.length === 1 ? [{ ...NO_AGENT, network: group.networks[0]!.prefix }] : []}
          />
        </span>
      ),
    },
  ];
  return (
    <>
      {dismiss.isError && (
        <Text size="sm" c="var(--failed)" role="alert">
          Couldn't dismiss the user agent. {toErrorMessage(dismiss.error)}
        </Text>
      )}
      <Stack ref={body} tabIndex={-1} gap="sm">
        <DataTable
          label="Unknown bots"
          columns={columns}
          rows={groups}
          rowKey={(group) => group.user_agent_group}
          initial="visits"
          owner={project.name}
          range={range}
          toolbar={lead}
          phone={['group group', 'visits actions', 'first last']}
        />
      </Stack>
    </>
  );
}

interface DescriptionProps {
  group: UnlistedGroup;
  visitsLink: ReturnType<typeof listLink>;
}

/** User agent on the entire width, with its signs of automation, networks and paths below. */
function Description({ group, visitsLink }: DescriptionProps) {
  const { user_agent_group: userAgent, signs, networks, paths } = group;
  const name = getVisitorName(userAgent);
  return (
    <>
      <div className={classes['name']}>{name}</div>
      {name !== userAgent && <code className={classes['userAgent']}>{userAgent}</code>}
      <Signs signs={signs} />
      <ul className={classes['facts']}>
        {networks.map((network) => (
          <li key={network.prefix} title={networkText(network)}>
            <TextLink
              {...visitsLink({ user_agent_group: userAgent, address: network.prefix })}
              inherit
              c="inherit"
              className="numbers"
            >
              {network.prefix}
            </TextLink>{' '}
            {formatShortNetwork(network.client_network)}
          </li>
        ))}
        {paths.map((path) => (
          <li key={path} data-path>
            <TextLink {...visitsLink({ user_agent_group: userAgent, page: path })} inherit c="inherit">
              {path}
            </TextLink>
          </li>
        ))}
      </ul>
    </>
  );
}

const NO_AGENT = { agent_token: null, agent_type_name: null, operator_name: null };

/** Signs of automation in one line, with their explanations as tooltips. */
const Signs = ({ signs }: Pick<UnlistedGroup, 'signs'>) => (
  <div className={classes['signs']}>
    {signs.map(describeAutomationSign).map(({ label, sentence }, index) => (
      <span key={label} title={sentence}>
        {index === 0 ? label : `, ${uncapitalize(label)}`}
      </span>
    ))}
  </div>
);

/** Keeps abbreviations such as HTTP. */
const uncapitalize = (label: string): string => label.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
