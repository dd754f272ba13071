import { Text } from '@mantine/core';
import { getLoadCost, hasPrices } from '#libs/contracts/load-cost';
import type { Project } from '../api/client.js';
import type { Load } from '../api/load.js';
import { TextLink } from '../ui/text-link.js';
import { formatFormula } from './load-text.js';

interface PriceNotesProps {
  project: Project;
  load: Load;
  /** Sentence before the notes. */
  lead?: string | null;
}

/** Shows how the cost of a load is computed, or how to set the prices. */
export function PriceNotes({ project, load, lead = null }: PriceNotesProps) {
  const settings = { to: '/projects/$projectId/settings', params: { projectId: project.id }, hash: 'prices' } as const;
  if (!hasPrices(project)) {
    return (
      <Text size="xs" c="dimmed" mt={4}>
        {lead}{' '}
        {project.role === 'viewer' ? (
          'To see costs, ask a project owner to set prices per GB and per hour of server time.'
        ) : (
          <>
            <TextLink {...settings} inherit>
              Set prices
            </TextLink>{' '}
            per GB sent and per hour of server time to see what agents cost.
          </>
        )}
      </Text>
    );
  }
  const notes = [
    getLoadCost(load, project) !== null && listPartialInputs(load, project),
    load.bytes === null && project.price_per_gb !== null && 'Response sizes weren’t reported.',
    load.server_time_ms === null && project.price_per_server_hour !== null && 'Response times weren’t reported.',
    project.price_per_gb === null && 'No price per GB is set.',
    project.price_per_server_hour === null && 'No price per hour of server time is set.',
  ];
  return (
    <Text size="xs" c="dimmed" mt={4}>
      {lead}{' '}
      {getLoadCost(load, project) !== null && (
        <>
          Cost: <span className="numbers">{formatFormula(load, project)}</span>.{' '}
        </>
      )}
      {notes.filter(Boolean).join(' ')}{' '}
      <TextLink {...settings} inherit>
        {project.role === 'viewer' ? 'View prices' : 'Change prices'}
      </TextLink>
    </Text>
  );
}

/** Notes that the cost leaves out requests without a reported size or time. */
function listPartialInputs(load: Load, { price_per_gb: gb, price_per_server_hour: hour }: Project): string | null {
  const parts = [
    gb !== null && load.bytes !== null && load.bytes_requests < load.requests && 'sizes',
    hour !== null && load.server_time_ms !== null && load.timed_requests < load.requests && 'times',
  ].filter(Boolean);
  return parts.length === 0 ? null : `Counts only requests with reported ${parts.join(' and ')}.`;
}
