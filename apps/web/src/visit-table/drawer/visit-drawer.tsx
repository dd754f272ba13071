import { Accordion, Group, Loader, Stack, Text } from '@mantine/core';
import '@mantine/core/styles/Accordion.css';
import { useQuery } from '@tanstack/react-query';
import { describeReason, describeResult } from '#libs/agents/vocabulary';
import type { Visit } from '../../api/client.js';
import { projectQuery, visitQuery } from '../../api/queries.js';
import { formatDuration } from '../../format/duration.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Failure } from '../../ui/failure.js';
import { formatFullTime } from '../../ui/relative-time.js';
import { SideDrawer } from '../../ui/side-drawer.js';
import { Snippet } from '../../ui/snippet.js';
import { AgentMark } from '../../ui/agent-mark.js';
import { Verdict } from '../../ui/verdict.js';
import { toCurlCommand } from './curl.js';
import { AddressEvidence, Automation, ClaimedIdentity, Commerce } from './evidence.js';
import { DescriptionList } from '../../ui/description-list.js';
import { HeaderList } from './header-list.js';
import { getHeader } from '../get-header.js';
import { VisitActions } from '../visit-actions.js';
import { ReferralEvidence } from './referral-evidence.js';
import { PolicyDecisions } from './policy-decisions.js';
import { RobotsEvidence } from './robots-evidence.js';
import { VerificationSteps } from './verification-steps.js';

export interface VisitDrawerProps {
  projectId: string;
  visitId: string;
  /** Visit that the table has already loaded. If undefined, it's fetched. */
  known: Visit | undefined;
  timeZone: string;
  onClose: () => void;
}

export default function VisitDrawer({ projectId, visitId, known, timeZone, onClose }: VisitDrawerProps) {
  const query = useQuery({ ...visitQuery(projectId, visitId), enabled: known === undefined });
  const visit = known ?? query.data;
  return (
    <SideDrawer
      title={
        visit === undefined ? (
          'Visit'
        ) : (
          <>
            <span className="unseen">Visit: </span>
            {visit.visit.request_method} {visit.visit.request_path}
          </>
        )
      }
      onClose={onClose}
    >
      {visit === undefined &&
        (query.isError ? <Failure error={query.error} title="Couldn't load this visit" /> : <Loader size="sm" />)}
      {visit && <VisitDetails item={visit} timeZone={timeZone} />}
    </SideDrawer>
  );
}

function VisitDetails({ item, timeZone }: { item: Visit; timeZone: string }) {
  const { visit, identification } = item;
  const { result, reason, evidence } = identification;
  const duration = visit.response_duration_in_milliseconds;
  const { data: project } = useQuery(projectQuery(item.project_id));
  return (
    <Stack gap="md">
      <div>
        <Group gap="sm" fz="lg">
          <Verdict result={result} />
          <Text fw={600}>
            {identification.agent_token !== null && (
              <AgentMark name={identification.agent_token} operator={identification.operator_name} size={22} />
            )}
            {identification.agent_token ?? 'Unknown agent'}
          </Text>
        </Group>
        <Text size="sm" mt={4}>
          {describeVerdict(identification)}
          {reason !== null && reason !== 'ok' && ` ${describeReason(reason)}`}
        </Text>
        {getHeader(visit, 'x-agent-traffic-sample') !== undefined && (
          <Text size="sm" mt={4}>
            <b>Sample visit:</b> created with “Send sample visit”, not reported by the site.
          </Text>
        )}
        {item.kept_as === 'reduced' && (
          <Text size="sm" mt={4}>
            <b>Reduced:</b> this project doesn't store unknown visitors’ addresses or most of their headers.
          </Text>
        )}
      </div>
      <DescriptionList
        facts={[
          ['Request', `${visit.request_method} ${visit.request_path}`],
          ['Status', visit.response_status_code],
          ['Duration', duration == null ? null : <span title={`${duration} ms`}>{formatDuration(duration)}</span>],
          [
            'Occurred',
            <time title={item.occurred_at}>
              {formatFullTime(item.occurred_at, timeZone)} ({timeZone})
            </time>,
          ],
          ['Reported', <time title={item.received_at}>{formatFullTime(item.received_at, timeZone)}</time>],
        ]}
      />
      <Group gap="xs">
        {project !== undefined && <VisitActions project={project} item={item} timeZone={timeZone} />}
        <CopyButton
          text={toCurlCommand(item, project?.site_address ?? null)}
          what="the request as curl"
          label="Copy as curl"
        />
        <CopyButton text={JSON.stringify(item, null, 2)} what="the visit as JSON" label="Copy JSON" />
        <CopyButton text={location.href} what="a link to this visit" label="Copy link" />
      </Group>
      <Accordion
        keepMounted={false}
        multiple
        defaultValue={[
          'who',
          'address',
          'steps',
          'robots',
          'decisions',
          'referral',
          'automation',
          'headers',
          'commerce',
        ]}
        chevronPosition="left"
      >
        <Part value="who" title="Claimed identity">
          <ClaimedIdentity item={item} />
        </Part>
        <Part value="address" title="Client address">
          <AddressEvidence item={item} />
        </Part>
        <Part value="steps" title="Verification steps">
          <VerificationSteps steps={evidence.steps ?? []} reason={reason} timeZone={timeZone} />
        </Part>
        {item.robots && (
          <Part value="robots" title="robots.txt">
            <RobotsEvidence item={item} robots={item.robots} timeZone={timeZone} />
          </Part>
        )}
        {item.decisions && (
          <Part value="decisions" title="Policy">
            <PolicyDecisions projectId={item.project_id} decisions={item.decisions} />
          </Part>
        )}
        {item.referral && (
          <Part value="referral" title="Referral">
            <ReferralEvidence projectId={item.project_id} referral={item.referral} />
          </Part>
        )}
        {item.automation && (
          <Part value="automation" title="Automation">
            <Automation automation={item.automation} />
          </Part>
        )}
        <Commerce item={item} Part={Part} />
        <Part value="headers" title="Request headers, as received">
          <HeaderList headers={visit.request_headers} />
        </Part>
        {visit.response_headers && (
          <Part value="response" title="Response headers">
            <HeaderList headers={visit.response_headers} />
          </Part>
        )}
        <Part value="json" title="JSON">
          <Snippet text={JSON.stringify(item, null, 2)} what="the visit as JSON" />
        </Part>
      </Accordion>
    </Stack>
  );
}

function describeVerdict({ result, reason, agent_token: token }: Visit['identification']): string {
  if (token !== null && reason !== null) {
    if (result === 'verification_failed') return `Claims to be ${token}, but failed verification.`;
    if (result === 'not_verifiable') return `Claims to be ${token}. We couldn’t confirm it or rule it out.`;
  }
  return describeResult(result).meaning;
}

function Part({ value, title, children }: { value: string; title: string; children: React.ReactNode }) {
  return (
    <Accordion.Item value={value}>
      <Accordion.Control>{title}</Accordion.Control>
      <Accordion.Panel>{children}</Accordion.Panel>
    </Accordion.Item>
  );
}
