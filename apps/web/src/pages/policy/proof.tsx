import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { provePolicy, type ProofRequest } from '../../api/policy-proof.js';
import { formatDuration } from '../../format/duration.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Failure } from '../../ui/failure.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import classes from '../../ui/verdict.module.css';

const RULE_TEXTS = {
  robots_txt: 'Disallowed in robots.txt, which a connected proxy enforces',
  nothing: 'No live rule',
};

const COLUMNS: readonly TableColumn<ProofRequest>[] = [
  {
    key: 'agent',
    label: 'Requested as',
    isHead: true,
    style: { whiteSpace: 'nowrap' },
    cell: ({ agent_token: token }) => token,
  },
  {
    key: 'expected',
    label: 'Expected',
    cell: ({ expected_status: status, decided_by: decidedBy, rule }) => (
      <>
        {status === 200 ? 'Your page' : status}
        <Text size="xs" c="dimmed">
          {decidedBy === 'rule' ? `Rule “${rule?.name}”` : RULE_TEXTS[decidedBy]}
        </Text>
      </>
    ),
  },
  {
    key: 'answer',
    label: 'Response',
    cell: ({ answer, retry_after: retryAfter, is_expected: isExpected }) => (
      <>
        <span className={classes['verdict']} data-result={isExpected ? 'verified' : 'verification_failed'}>
          <Icon name={isExpected ? 'check' : 'failed'} size={15} />
          {answer === null ? 'No response' : `${answer.status}, ${isExpected ? 'as expected' : 'not as expected'}`}
        </span>
        {answer !== null && (
          <Text size="xs" c="dimmed">
            {formatDuration(answer.milliseconds)}
            {retryAfter !== null && `, Retry-After: ${retryAfter}`}
          </Text>
        )}
      </>
    ),
  },
  {
    key: 'findings',
    label: 'Notes',
    cell: ({ findings }) =>
      findings.map((finding) => (
        <Text size="sm" key={finding}>
          {finding}
        </Text>
      )),
  },
];

interface ProofProps {
  project: { id: string; site_address: string | null };
  /** True if some changes aren't published, so the requests wouldn't prove them. */
  hasChanges: boolean;
}

/** Requests the project's site as two agents, and compares the responses with the published policy. */
export function Proof({ project, hasChanges }: ProofProps) {
  const proof = useMutation({ mutationFn: () => provePolicy(project.id) });
  return (
    <Section
      title="Prove it"
      lead={`Requests ${project.site_address ?? 'your site'} from this server as GPTBot and as ChatGPT-User, and compares the responses with the published policy.`}
      actions={
        project.site_address !== null && (
          <Button size="compact-sm" variant="default" loading={proof.isPending} onClick={() => proof.mutate()}>
            Send two requests
          </Button>
        )
      }
    >
      {project.site_address === null && (
        <Text size="sm">
          Enter your site’s address in the{' '}
          <TextLink to="/projects/$projectId/settings" params={{ projectId: project.id }} inherit>
            settings
          </TextLink>{' '}
          first.
        </Text>
      )}
      {hasChanges && <Text size="sm">Publish your changes first. Until then, the previous policy applies.</Text>}
      {proof.isError && <Failure error={proof.error} title="Couldn't send the requests" />}
      <div role="status">
        {proof.isSuccess && (
          <DataTable
            label="Responses of your site"
            columns={COLUMNS}
            rows={proof.data.requests}
            rowKey={({ agent_token: token }) => token}
          />
        )}
      </div>
      <Text size="xs" c="dimmed">
        These requests don’t come from OpenAI, so they show how your site responds to unverified visitors that claim to
        be these agents. Rules that require verification treat the real agents differently. The visits are recorded as
        those of the test agent and don’t count as spoofing.
      </Text>
    </Section>
  );
}
