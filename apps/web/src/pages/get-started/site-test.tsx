import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client, data, type Project, type TestVisit } from '../../api/client.js';
import { testVisitQuery } from '../../api/queries.js';
import { Failure } from '../../ui/failure.js';
import { Icon } from '../../ui/icon.js';
import { TextLink } from '../../ui/text-link.js';
import { Verdict } from '../../ui/verdict.js';
import { SampleVisit } from './sample-visit.js';
import { TestSteps } from './test-steps-list.js';

interface SiteTestProps {
  project: Project;
  isReader: boolean;
  testVisitId: string | undefined;
  onSent: (testVisitId: string) => void;
}

export function SiteTest({ project, isReader, testVisitId, onSent }: SiteTestProps) {
  const { id: projectId, site_address: site, is_demo: isDemo } = project;
  const test = useQuery({ ...testVisitQuery(projectId, testVisitId ?? ''), enabled: testVisitId !== undefined });
  const sending = useMutation({
    mutationFn: () =>
      data(client.POST('/api/projects/{id}/test-visits', { params: { path: { id: projectId } }, body: {} })),
    onSuccess: ({ id }) => onSent(id),
  });
  const isInProgress = sending.isPending || (test.data !== undefined && test.data.stage !== 'finished');
  return (
    <>
      {isDemo && <Text size="sm">The demo’s site isn’t a real one, so it can’t be tested.</Text>}
      {site === null && !isDemo && (
        <Text size="sm">
          This project has no site address.{' '}
          <TextLink to="/projects/$projectId/settings" params={{ projectId }} size="sm">
            Add one in Settings
          </TextLink>{' '}
          to test the site.
        </Text>
      )}
      {isReader ? (
        <Text size="sm" c="dimmed">
          Only project members can send visits.
        </Text>
      ) : (
        <>
          {!isDemo && (
            <>
              <Text size="sm" c="dimmed">
                Fetches {site === null ? 'your site' : <b>{site}</b>} as our test agent, and waits for the site to
                report it.
              </Text>
              <div>
                <Button onClick={() => sending.mutate()} loading={isInProgress} disabled={site === null}>
                  Send test visit
                </Button>
              </div>
              <Text size="sm" c="dimmed">
                Not connected yet? Add one visit without your site, to see what it looks like here.
              </Text>
            </>
          )}
          <Group gap="sm">
            <SampleVisit key={projectId} projectId={projectId} />
          </Group>
        </>
      )}
      {sending.isError && <Failure error={sending.error} title="Couldn't send the test visit" />}
      {test.isError && <Failure error={test.error} title="Couldn't load the test visit" />}
      {test.data && (
        <Stack gap="sm">
          <TestSteps test={test.data} />
          <div role="status">{test.data.message !== null && <Outcome test={test.data} projectId={projectId} />}</div>
        </Stack>
      )}
    </>
  );
}

function Outcome({ test, projectId }: { test: TestVisit; projectId: string }) {
  const { report, message, next_steps: nextSteps } = test;
  const isVerified = report?.result === 'verified';
  const color = `var(--${isVerified ? 'verified' : report === null ? 'failed' : 'open'})`;
  return (
    <Alert
      variant="outline"
      vars={() => ({ root: { '--alert-color': color, '--alert-bd': `1px solid ${color}` } })}
      icon={<Icon name={isVerified ? 'verified' : 'failed'} />}
      title={
        isVerified ? 'The site is connected' : report === null ? 'The test failed' : 'Visit received but not verified'
      }
    >
      <Stack gap="xs">
        <Text size="sm">{message}</Text>
        {nextSteps.length > 0 && (
          <List size="sm" spacing={4}>
            {nextSteps.map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
        )}
        {report !== null && (
          <Group gap="sm" fz="sm">
            <Verdict result={report.result} />
            <TextLink
              to="/projects/$projectId/realtime"
              params={{ projectId }}
              search={{ visit: report.visit_id }}
              size="sm"
            >
              Show in Realtime
            </TextLink>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
