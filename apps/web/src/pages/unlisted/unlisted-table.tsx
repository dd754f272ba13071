import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, type ReactNode } from 'react';
import { describeAutomationSign } from '#libs/agents/vocabulary';
import { client, data, toErrorMessage, type Project } from '../../api/client.js';
import { unlistedUserAgentsKey, type Suspicion, type UnlistedGroup } from '../../api/unlisted-user-agents.js';
import { notify } from '../../notices/notices.js';
import { formatCount } from '../../format/count.js';
import { formatNetwork, formatShortNetwork } from '../../format/network.js';
import { Change } from '../../range/change.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange, Range } from '../../range/range.js';
import { AgentMark } from '../../ui/agent-mark.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { TextLink } from '../../ui/text-link.js';
import { getVisitorName } from '../../format/program-name.js';
import { BotActions } from './bot-actions.js';
import { getBotColors, getBotName } from './bots.js';
import classes from './unlisted-table.module.css';

interface UnlistedTableProps {
  project: Project;
  /** Bots, most visits first. */
  ranked: readonly UnlistedGroup[];
  /** Bots in the comparison range. Undefined for no comparison, and until they've loaded. */
  previous: readonly UnlistedGroup[] | undefined;
  /** Name of the comparison range, or null for none. */
  before: string | null;
  range: Range;
  /** Range for links to the visit list. */
  linked: LinkedRange;
  suspicion: Suspicion;
  timeZone: string;
  /** Introduction, shown next to the table's tools. */
  lead: ReactNode;
}

const networkText = ({ prefix, client_network: owner }: UnlistedGroup['networks'][number]): string =>
  [formatNetwork(owner), prefix].filter(Boolean).join(' ');

/** Programs that match no agent in the catalog. */
export function UnlistedTable(props: UnlistedTableProps) {
  const { project, ranked, previous, before, range, linked, suspicion, timeZone, lead } = props;
  const visitsLink = listLink(project.id, linked);
  const colors = getBotColors(ranked);
  const previousVisits = previous && new Map(previous.map((group) => [group.user_agent_group, group.visits]));
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
      key: 'bot',
      label: 'Bot',
      isHead: true,
      value: getBotName,
      cell: (group) => <Bot group={group} color={colors.get(group.user_agent_group)} visitsLink={visitsLink} />,
      style: { width: '100%' },
    },
    { key: 'group', label: 'User agent', isOnlyExported: true, value: (group) => group.user_agent_group },
    {
      key: 'networks',
      label: 'Networks',
      isFixed: true,
      value: ({ networks }) => networks.map(networkText).join(', '),
      cell: (group) => <Networks group={group} visitsLink={visitsLink} />,
      style: { verticalAlign: 'top' },
    },
    {
      key: 'visits',
      label: 'Visits',
      isNumber: true,
      value: (group) => group.visits,
      cell: ({ user_agent_group: group, visits }) => (
        <>
          <TextLink {...visitsLink({ automation: suspicion, user_agent_group: group })} size="sm">
            {formatCount(visits)}
            <span className="unit"> visits</span>
            <span className="unseen"> by {group}</span>
          </TextLink>
          {previousVisits && (
            <div className={classes['change']}>
              <Change current={visits} previous={previousVisits.get(group) ?? 0} before={before} />
            </div>
          )}
        </>
      ),
      style: { verticalAlign: 'top' },
    },
    {
      key: 'signs',
      label: 'Signs',
      isOnlyExported: true,
      value: ({ signs }) => signs.map((sign) => describeAutomationSign(sign).label).join(', '),
    },
    { key: 'paths', label: 'Paths', isOnlyExported: true, value: ({ paths }) => paths.join(' ') },
    { key: 'probed', label: 'Probed paths', isOnlyExported: true, value: ({ probed_paths: paths }) => paths.join(' ') },
    { key: 'first', label: 'First seen', isOnlyExported: true, value: (group) => group.first_seen_at },
    {
      key: 'last',
      label: 'Last seen',
      isTime: true,
      value: (group) => group.last_seen_at,
      narrow: { isSoft: true },
      style: { verticalAlign: 'top' },
    },
    {
      key: 'actions',
      label: 'Actions',
      cell: (group) => (
        <span className={classes['actions']}>
          {project.role !== 'viewer' && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              disabled={dismiss.isPending}
              onClick={() => dismiss.mutate(group.user_agent_group)}
            >
              Dismiss<span className="unseen"> {group.user_agent_group}</span>
            </Button>
          )}
          <BotActions
            {...{ project, group, range, timeZone }}
            visits={visitsLink({ automation: suspicion, user_agent_group: group.user_agent_group })}
          />
        </span>
      ),
      style: { verticalAlign: 'top' },
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
          rows={ranked}
          rowKey={(group) => group.user_agent_group}
          initial="visits"
          owner={project.name}
          range={range}
          toolbar={lead}
          phone={['bot bot', 'visits last', 'networks actions']}
        />
      </Stack>
    </>
  );
}

interface BotProps {
  group: UnlistedGroup;
  color?: string | undefined;
  visitsLink: ReturnType<typeof listLink>;
}

/** Name of a bot, with what makes it suspicious, and its user agent and pages below. */
function Bot({ group, color, visitsLink }: BotProps) {
  const { user_agent_group: userAgent, signs, paths, probed_paths: probedPaths } = group;
  const name = getBotName(group);
  const isScanner = probedPaths.length > 0;
  return (
    <div className={classes['bot']}>
      <AgentMark name={getVisitorName(userAgent)} operator={null} color={color} />
      <div className={classes['text']}>
        <div className={classes['name']}>{name}</div>
        {isScanner && <div className={classes['scanner']}>Looks like a vulnerability scanner</div>}
        <Signs signs={signs} />
        <ul className={classes['facts']} aria-label="Pages">
          {(isScanner ? probedPaths : paths).map((path) => (
            <li key={path}>
              <TextLink {...visitsLink({ user_agent_group: userAgent, page: path })} inherit c="inherit">
                {path}
              </TextLink>
            </li>
          ))}
        </ul>
        {name !== userAgent && <code className={classes['userAgent']}>{userAgent}</code>}
      </div>
    </div>
  );
}

const Networks = ({ group: { user_agent_group: userAgent, networks }, visitsLink }: BotProps) => (
  <ul className={classes['networks']}>
    {networks.map((network) => (
      <li key={network.prefix} title={networkText(network)}>
        <TextLink
          {...visitsLink({ user_agent_group: userAgent, address: network.prefix })}
          size="sm"
          className="numbers"
        >
          {network.prefix}
        </TextLink>
        {network.client_network !== null && (
          <Text size="xs" c="dimmed">
            {formatShortNetwork(network.client_network)}
          </Text>
        )}
      </li>
    ))}
  </ul>
);

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
