import { Accordion, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { reasonSentence, resultWords } from '#libs/agents/vocabulary';
import type { Visit } from '../../api/client.js';
import { projectQuery, visitQuery } from '../../api/queries.js';
import { durationText } from '../../format/duration.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Failure } from '../../ui/failure.js';
import { fullTime } from '../../ui/relative-time.js';
import { SideDrawer } from '../../ui/side-drawer.js';
import { Snippet } from '../../ui/snippet.js';
import { Verdict } from '../../ui/verdict.js';
import { asCurl } from './curl.js';
import { AddressEvidence, Automation, Claim, Commerce } from './evidence.js';
import { DescriptionList } from '../../ui/description-list.js';
import { HeaderList } from './header-list.js';
import { headerOf } from '../header-of.js';
import { ReferralEvidence } from './referral-evidence.js';
import { RobotsEvidence } from './robots-evidence.js';
import { Steps } from './steps.js';

export interface VisitDrawerProps {
  projectId: string;
  visitId: string;
  /** The visit, if the table has it. Otherwise, it's fetched. */
  known: Visit | undefined;
  timeZone: string;
  onClose: () => void;
}

export default function VisitDrawer({ projectId, visitId, known, timeZone, onClose }: VisitDrawerProps) {
  const asked = useQuery({ ...visitQuery(projectId, visitId), enabled: known === undefined });
  const visit = known ?? asked.data;
  return (
    <SideDrawer title="Visit" onClose={onClose}>
      {visit === undefined &&
        (asked.isError ? <Failure error={asked.error} title="This visit can't be shown" /> : <Loader size="sm" />)}
      {visit && <Explained item={visit} timeZone={timeZone} />}
    </SideDrawer>
  );
}

function Explained({ item, timeZone }: { item: Visit; timeZone: string }) {
  const { visit, identification } = item;
  const { result, reason, evidence } = identification;
  const duration = visit.response_duration_in_milliseconds;
  const { data: project } = useQuery(projectQuery(item.project_id));
  return (
    <Stack gap="md">
      <div>
        <Group gap="sm" fz="lg">
          <Verdict result={result} />
          <Text fw={600}>{identification.agent_token ?? 'Unknown agent'}</Text>
        </Group>
        <Text size="sm" mt={4}>
          {resultWords(result).meaning}
          {reason !== null && reason !== 'ok' && ` ${reasonSentence(reason)}`}
        </Text>
        {headerOf(visit, 'x-agent-traffic-sample') !== undefined && (
          <Text size="sm" mt={4}>
            <b>Sample visit:</b> made by “Send a sample visit”, not by the site.
          </Text>
        )}
        {item.kept_as === 'reduced' && (
          <Text size="sm" mt={4}>
            <b>Reduced:</b> this project keeps neither the address of an unknown visitor nor most headers.
          </Text>
        )}
      </div>
      <DescriptionList
        facts={[
          ['Request', `${visit.request_method} ${visit.request_path}`],
          ['Status', visit.response_status_code],
          ['Duration', duration == null ? null : <span title={`${duration} ms`}>{durationText(duration)}</span>],
          [
            'Occurred',
            <time title={item.occurred_at}>
              {fullTime(item.occurred_at, timeZone)} ({timeZone})
            </time>,
          ],
          ['Reported', <time title={item.received_at}>{fullTime(item.received_at, timeZone)}</time>],
        ]}
      />
      <Group gap="xs">
        <CopyButton
          text={asCurl(item, project?.site_address ?? null)}
          what="the request as curl"
          label="Copy as curl"
        />
        <CopyButton text={JSON.stringify(item, null, 2)} what="the visit as JSON" label="Copy JSON" />
        <CopyButton text={location.href} what="a link to this visit" label="Copy link" />
      </Group>
      <Accordion
        keepMounted={false}
        multiple
        defaultValue={['who', 'address', 'steps', 'robots', 'referral', 'automation', 'headers', 'commerce']}
        chevronPosition="left"
      >
        <Part value="who" title="Claimed identity">
          <Claim item={item} />
        </Part>
        <Part value="address" title="Client address">
          <AddressEvidence item={item} />
        </Part>
        <Part value="steps" title="Verification steps">
          <Steps steps={evidence.steps ?? []} reason={reason} timeZone={timeZone} />
        </Part>
        {item.robots && (
          <Part value="robots" title="robots.txt">
            <RobotsEvidence item={item} robots={item.robots} timeZone={timeZone} />
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

function Part({ value, title, children }: { value: string; title: string; children: React.ReactNode }) {
  return (
    <Accordion.Item value={value}>
      <Accordion.Control>{title}</Accordion.Control>
      <Accordion.Panel>{children}</Accordion.Panel>
    </Accordion.Item>
  );
}
