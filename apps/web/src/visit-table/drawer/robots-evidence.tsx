import { Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError, messageOf, type Visit } from '../../api/client.js';
import { robotsVersionQuery } from '../../api/robots-versions.js';
import { valueText } from '../../filters/value-text.js';
import { DescriptionList } from '../../ui/description-list.js';
import { fullTime } from '../../ui/relative-time.js';
import { TextLink } from '../../ui/text-link.js';

type Judgment = NonNullable<Visit['robots']>;

interface RobotsEvidenceProps {
  item: Visit;
  robots: Judgment;
  timeZone: string;
}

/** Verdict of the robots.txt in force at the time, with its line and a link to the full version. */
export function RobotsEvidence({ item, robots: { verdict, version: id, line }, timeZone }: RobotsEvidenceProps) {
  const { project_id: projectId, identification } = item;
  const answer = useQuery({ ...robotsVersionQuery(projectId, id ?? ''), enabled: id !== null });
  const version = answer.data;
  const text = line === null ? undefined : version?.text?.split(/\r\n|\r|\n/)[line - 1];
  return (
    <>
      {identification.result === 'verification_failed' && (
        <Text size="sm" mb={4}>
          Judged in the name of {identification.agent_token}, and not held against it.
        </Text>
      )}
      <DescriptionList
        facts={[
          ['Verdict', valueText(verdict)],
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
                {version.host}, in force from{' '}
                <time dateTime={version.served_from}>{fullTime(version.served_from, timeZone)}</time>
              </TextLink>
            ) : answer.isError ? (
              faultText(answer.error)
            ) : null,
          ],
        ]}
      />
    </>
  );
}

const faultText = (error: unknown): string =>
  error instanceof ApiError && error.status === 404 ? 'No longer kept' : messageOf(error);
