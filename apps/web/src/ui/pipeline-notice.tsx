import { Alert, Badge, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { pipelineQuery } from '../api/system-queries.js';
import { Icon } from './icon.js';

const PART_LABELS: Record<string, string> = {
  gateway: 'Receiving reports',
  queue: 'Queue',
  enrichment: 'Identification',
  ingest: 'Storage',
  database: 'Database',
};

/** Lists pipeline parts that are down or degraded. Renders nothing if all are running. */
export function PipelineNotice() {
  const { data: pipeline } = useQuery(pipelineQuery);
  if (pipeline === undefined || pipeline.state === 'running') return null;
  const isDown = pipeline.state === 'down';
  return (
    <Alert
      color={isDown ? 'red' : 'yellow'}
      variant="outline"
      icon={<Icon name="failed" />}
      title={isDown ? 'Visit processing is down' : 'Visit processing is degraded'}
      role="status"
    >
      {pipeline.parts.map(
        ({ part, state, detail }) =>
          state !== 'running' && (
            <Text key={part} size="sm">
              <b>{PART_LABELS[part] ?? part}:</b> {detail}
            </Text>
          ),
      )}
    </Alert>
  );
}

/** Short version of {@link PipelineNotice} for the header of every page. */
export function PipelineBadge() {
  const { data: pipeline } = useQuery(pipelineQuery);
  if (pipeline === undefined || pipeline.state === 'running') return null;
  const isDown = pipeline.state === 'down';
  const details = pipeline.parts.flatMap(({ part, detail }) =>
    detail === null ? [] : `${PART_LABELS[part]}: ${detail}`,
  );
  return (
    <Badge
      variant="outline"
      color="gray"
      c={isDown ? 'var(--failed)' : 'var(--open)'}
      tt="none"
      role="status"
      title={details.join('\n')}
      leftSection={<Icon name="failed" size={13} />}
    >
      {isDown ? 'pipeline down' : 'pipeline degraded'}
    </Badge>
  );
}
