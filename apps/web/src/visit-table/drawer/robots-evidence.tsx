import { Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError, toErrorMessage, type Visit } from '../../api/client.js';
import { robotsVersionQuery } from '../../api/robots-versions.js';
import { formatFilterValue } from '../../filters/format-filter-value.js';
import { DescriptionList } from '../../ui/description-list.js';
import { formatFullTime } from '../../ui/relative-time.js';
import { TextLink } from '../../ui/text-link.js';

type Judgment = NonNullable<Visit['robots']>;

interface RobotsEvidenceProps {
  item: Visit;
  robots: Judgment;
  timeZone: string;
}

/** Verdict based on the robots.txt active at the time, with the matching line and a link to the full version. */
export function RobotsEvidence({ item, robots: { verdict, version: id, line }, timeZone }: RobotsEvidenceProps) {
  const { project_id: projectId, identification } = item;
  const query = useQuery({ ...robotsVersionQuery(projectId, id ?? ''), enabled: id !== null });
  const version = query.data;
  const text = line === null ? undefined : version?.text?.split(/\r\n|\r|\n/)[line - 1];
  return (
    <>
      {identification.result === 'verification_failed' && (
        <Text size="sm" mb={4}>
          Checked against the rules for {identification.agent_token}. Visits that failed verification don’t count
          against the agent.
        </Text>
      )}
      <DescriptionList
        facts={[
          ['Verdict', formatFilterValue(verdict)],
          [
            'Line',
            line === null ? (
              verdict === 'allowed' ? (
                'No rule disallows this path'
              ) : null
            ) : (
              <>
                {line}
                {text && <Code ml={6}>{text.trim()}</Code>}
              </>
            ),
          ],
          [
            'Version',
            version !== undefined ? (
              <TextLink to="/projects/$projectId/compliance" params={{ projectId }} search={{ version: id! }} size="sm">
                {version.host}, active from{' '}
                <time dateTime={version.served_from}>{formatFullTime(version.served_from, timeZone)}</time>
              </TextLink>
            ) : query.isError ? (
              errorText(query.error)
            ) : null,
          ],
        ]}
      />
    </>
  );
}

const errorText = (error: unknown): string =>
  error instanceof ApiError && error.status === 404 ? 'No longer stored' : toErrorMessage(error);
