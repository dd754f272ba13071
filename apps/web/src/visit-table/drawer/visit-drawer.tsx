import { ActionIcon, Group, Loader, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Visit } from '../../api/client.js';
import { projectQuery, visitQuery } from '../../api/queries.js';
import { newsQuery } from '../../api/statistics.js';
import { formatDuration } from '../../format/duration.js';
import { getNetwork } from '../../format/network.js';
import type { Impersonation } from '../../range/claims.js';
import type { ShownRange } from '../../range/use-range.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Failure } from '../../ui/failure.js';
import { HighlightedMatch } from '../../ui/highlighted-match.js';
import { Icon } from '../../ui/icon.js';
import { formatFullTime } from '../../ui/relative-time.js';
import { SideDrawer } from '../../ui/side-drawer.js';
import { Snippet } from '../../ui/snippet.js';
import { AgentMark } from '../../ui/agent-mark.js';
import { Verdict } from '../../ui/verdict.js';
import { toCurlCommand } from './curl.js';
import { describeVisit } from './describe-visit.js';
import { AddressEvidence, ClaimedIdentity, Commerce, SignsOfAutomation } from './evidence.js';
import { DescriptionList } from '../../ui/description-list.js';
import { Disclosure } from '../../ui/disclosure.js';
import { DrawerSection } from './drawer-section.js';
import { HeaderList } from './header-list.js';
import { ImpersonationNote } from './impersonation-note.js';
import { getHeader } from '../get-header.js';
import { VisitActions } from '../visit-actions.js';
import { ReferralEvidence } from './referral-evidence.js';
import { isExempt } from './new-decision.js';
import { usePolicyDecisions } from './policy-decisions.js';
import { RobotsEvidence } from './robots-evidence.js';
import { BlockedSince } from './blocked-since.js';
import { VerificationSteps } from './verification-steps.js';
import classes from './visit-drawer.module.css';

export interface VisitDrawerProps {
  projectId: string;
  visitId: string;
  /** Loaded visits in the order of the list. A visit that isn't among them is fetched. */
  visits: readonly Visit[];
  /** Range of the list, in which other visits from the same network are counted. */
  range: ShownRange;
  /** Range in words, such as "in the last 24 hours". */
  when: string;
  onOpen: (visitId: string) => void;
  onClose: () => void;
  /** Called when the last loaded visit opens. */
  onEnd?: () => void;
}

export default function VisitDrawer(props: VisitDrawerProps) {
  const { projectId, visitId, visits, range, when, onOpen, onClose, onEnd } = props;
  const index = visits.findIndex(({ id }) => id === visitId);
  const query = useQuery({ ...visitQuery(projectId, visitId), enabled: index === -1 });
  const visit = visits[index] ?? query.data;
  const previous = index === -1 ? undefined : visits[index - 1];
  const next = index === -1 ? undefined : visits[index + 1];
  const isLast = index !== -1 && next === undefined;
  useEffect(() => {
    if (isLast) onEnd?.();
  }, [isLast, onEnd]);
  const open = (neighbor: Visit | undefined): void => {
    if (neighbor !== undefined) onOpen(neighbor.id);
  };
  useHotkeys([
    ['j', () => open(next)],
    ['k', () => open(previous)],
  ]);
  return (
    <SideDrawer
      title={
        visit === undefined ? (
          'Visit'
        ) : (
          <span className={classes['title']}>
            <span className="unseen">Visit: </span>
            {visit.visit.request_method} {visit.visit.request_path}
          </span>
        )
      }
      controls={
        index !== -1 && (
          <>
            <NeighborButton label="Previous visit" shortcut="k" visit={previous} onOpen={open} />
            <NeighborButton label="Next visit" shortcut="j" visit={next} onOpen={open} />
          </>
        )
      }
      onClose={onClose}
    >
      {visit === undefined &&
        (query.isError ? <Failure error={query.error} title="Couldn't load this visit" /> : <Loader size="sm" />)}
      {visit && <VisitDetails item={visit} range={range} when={when} />}
    </SideDrawer>
  );
}

interface NeighborButtonProps {
  label: string;
  shortcut: 'j' | 'k';
  visit: Visit | undefined;
  onOpen: (visit: Visit | undefined) => void;
}

const NeighborButton = ({ label, shortcut, visit, onOpen }: NeighborButtonProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size={32}
    aria-label={label}
    aria-keyshortcuts={shortcut}
    title={`${label} (${shortcut})`}
    // Don't use `disabled`, because the button would lose the focus at the end of the list.
    data-disabled={visit === undefined || undefined}
    aria-disabled={visit === undefined}
    onClick={() => onOpen(visit)}
  >
    <Icon name={shortcut === 'j' ? 'down' : 'up'} size={16} />
  </ActionIcon>
);

function VisitDetails({ item, range, when }: { item: Visit; range: ShownRange; when: string }) {
  const { visit, identification } = item;
  const { reason, evidence, agent_token: token, agent_type_name: type } = identification;
  const { steps = [] } = evidence;
  const hasSteps = token !== null || steps.length > 0;
  const { timeZone } = range;
  const { data: project } = useQuery(projectQuery(item.project_id));
  const impersonation = useImpersonation(item, range);
  const policy = usePolicyDecisions(item);
  const robots = item.robots && (
    <DrawerSection title="robots.txt">
      <RobotsEvidence item={item} robots={item.robots} timeZone={timeZone} />
    </DrawerSection>
  );
  return (
    <Stack gap="md">
      <div>
        <Group gap="xs">
          <Verdict result={identification.result} />
          {token !== null && (
            <Text size="sm" fw={600}>
              <AgentMark name={token} operator={identification.operator_name} size={18} />
              {token}{' '}
              <Text span size="sm" c="dimmed">
                {type}
              </Text>
            </Text>
          )}
        </Group>
        <p className={classes['sentence']} aria-live="polite">
          {describeVisit(item, timeZone)}
          {impersonation !== undefined && (
            <>
              {' '}
              <ImpersonationNote
                projectId={item.project_id}
                impersonation={impersonation}
                token={token}
                range={range}
                when={when}
              />
            </>
          )}
        </p>
        {getHeader(visit, 'x-agent-traffic-sample') !== undefined && (
          <Text size="sm" mt={4}>
            <b>Sample visit:</b> created with “Send sample visit”, not reported by the site.
          </Text>
        )}
        {item.kept_as === 'reduced' && (
          <Text size="sm" mt={4}>
            <b>Reduced:</b> this project doesn’t store unknown visitors’ addresses or most of their headers.
          </Text>
        )}
        <Group gap="xs" mt="sm">
          {project !== undefined && (
            <VisitActions
              project={project}
              item={item}
              timeZone={timeZone}
              network={impersonation?.network}
              ruleState={(blocking) => (
                <BlockedSince
                  projectId={item.project_id}
                  blocking={blocking}
                  isExempt={isExempt(item)}
                  timeZone={timeZone}
                />
              )}
            />
          )}
          <CopyButton
            text={toCurlCommand(item, project?.site_address ?? null)}
            what="the request as curl"
            label="Copy as curl"
          />
          <CopyButton text={location.href} what="a link to this visit" label="Copy link" />
        </Group>
      </div>
      <DescriptionList
        facts={[
          ['Status', <Outcome visit={visit} />],
          [
            'Time',
            <time title={`${item.occurred_at}, reported ${item.received_at}`}>
              {formatFullTime(item.occurred_at, timeZone)} ({timeZone})
            </time>,
          ],
          ['Address', item.client_address && <Address item={item} />],
          [
            'User-Agent',
            <HighlightedMatch text={getHeader(visit, 'user-agent') ?? ''} part={evidence.user_agent_match ?? null} />,
          ],
          ['Policy', policy],
        ]}
      />
      {hasSteps && (
        <DrawerSection title="Verification steps">
          <VerificationSteps item={item} steps={steps} reason={reason} timeZone={timeZone} />
        </DrawerSection>
      )}
      {item.automation && item.automation.signs.length > 0 && (
        <DrawerSection title="Signs of automation">
          <SignsOfAutomation signs={item.automation.signs} />
        </DrawerSection>
      )}
      {item.referral && (
        <DrawerSection title="Referral">
          <ReferralEvidence projectId={item.project_id} referral={item.referral} />
        </DrawerSection>
      )}
      {item.robots?.verdict === 'disallowed' && robots}
      <Commerce item={item} />
      <Disclosure label="Technical details">
        {item.robots?.verdict !== 'disallowed' && robots}
        <DrawerSection title="Claimed identity">
          <ClaimedIdentity item={item} />
        </DrawerSection>
        <DrawerSection title="Client address">
          <AddressEvidence item={item} />
        </DrawerSection>
        <DrawerSection title="Request headers, as received">
          <HeaderList headers={visit.request_headers} />
        </DrawerSection>
        {visit.response_headers && (
          <DrawerSection title="Response headers">
            <HeaderList headers={visit.response_headers} />
          </DrawerSection>
        )}
        <DrawerSection title="JSON">
          <Snippet text={JSON.stringify(item, null, 2)} what="the visit as JSON" />
        </DrawerSection>
      </Disclosure>
    </Stack>
  );
}

/** Returns the news about the visit's network, if it claimed to be agents of several operators in the range. */
function useImpersonation({ client_address: address, identification, project_id: id }: Visit, range: ShownRange) {
  const network = address === null ? null : getNetwork(address);
  const isUntrusted = ['verification_failed', 'not_verifiable'].includes(identification.result);
  const { data: news } = useQuery({
    ...newsQuery(id, range),
    refetchInterval: false,
    enabled: isUntrusted && network !== null,
  });
  return news?.items.find(
    (item): item is Impersonation =>
      item.kind === 'impersonation' &&
      item.network === network &&
      item.agents.some(({ agent_id: agent }) => agent === identification.agent_id),
  );
}

function Outcome({ visit }: Pick<Visit, 'visit'>) {
  const { response_status_code: status, response_duration_in_milliseconds: duration } = visit;
  return (
    <>
      {status ?? 'Not reported'}
      {duration != null && <span title={`${duration} ms`}> in {formatDuration(duration)}</span>}
    </>
  );
}

/** Client address and the operator of its network. */
const Address = ({ item: { client_address: address, client_network: network } }: { item: Visit }) => (
  <>
    {address}
    {network?.operator_name && (
      <Text span inherit c="dimmed">
        {' '}
        {network.operator_name}
      </Text>
    )}
  </>
);
