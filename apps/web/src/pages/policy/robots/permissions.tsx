import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import {
  PERMISSION_DAYS,
  permissionsQuery,
  type PermissionMatrixItem,
  type Permissions,
} from '../../../api/permissions.js';
import { formatCount } from '../../../format/count.js';
import { DataTable, type TableColumn } from '../../../ui/data-table.js';
import { DescriptionList } from '../../../ui/description-list.js';
import { Failure } from '../../../ui/failure.js';
import { formatFullTime } from '../../../ui/relative-time.js';
import { Section } from '../../../ui/section.js';
import { SmallSelect } from '../../../ui/small-select.js';
import { Contradictions } from './contradictions.js';
import { Outcome } from './outcome.js';
import { PURPOSES } from './purposes.js';
import type { RobotsSearch } from './search.js';

interface PermissionsProps {
  project: { id: string; time_zone: string; host_names: readonly string[] };
  search: Pick<RobotsSearch, 'host' | 'version'>;
  onChange: (changes: Pick<RobotsSearch, 'host' | 'version'>) => void;
}

/** Compares the permissions that a host grants and refuses. */
export default function PermissionsSection({ project, search, onChange }: PermissionsProps) {
  const { host_names: hosts } = project;
  const response = useQuery(permissionsQuery(project.id, search.host ?? null));
  const permissions = response.data;
  return (
    <Section
      title="On your site now"
      id="permissions"
      lead="Permissions in robots.txt, headers, licenses, and responses."
    >
      {hosts.length > 1 && (
        <SmallSelect
          aria-label="Host"
          value={search.host ?? hosts[0]!}
          options={hosts.map((host) => ({ value: host, label: host }))}
          onChange={(host) => onChange({ host, version: undefined })}
        />
      )}
      {response.isPending && <Skeleton h={320} animate={false} role="status" aria-label="Comparing permissions" />}
      {response.isError && (
        <Failure
          error={response.error}
          title="Couldn't compare the permissions"
          retry={() => void response.refetch()}
        />
      )}
      {permissions !== undefined && (
        <VersionPermissions
          project={project}
          permissions={permissions}
          versionId={search.version}
          onVersion={(version) => onChange({ version })}
        />
      )}
    </Section>
  );
}

interface VersionPermissionsProps {
  project: PermissionsProps['project'];
  permissions: Permissions;
  versionId: string | undefined;
  onVersion: (id: string) => void;
}

function VersionPermissions({ project, permissions, versionId, onVersion }: VersionPermissionsProps) {
  const { matrices, sample } = permissions;
  const matrix = matrices.find(({ version }) => version?.id === versionId) ?? matrices[0];
  if (matrix === undefined) return null;
  const { version, contradictions, licenses } = matrix;
  return (
    <Stack gap="sm">
      {version === null ? (
        <Text size="sm">robots.txt hasn’t been fetched for this range.</Text>
      ) : (
        <Group gap="xs">
          <SmallSelect
            aria-label="Version of robots.txt"
            value={version.id}
            options={matrices.flatMap((item) => toOption(item, project.time_zone))}
            onChange={onVersion}
          />
        </Group>
      )}
      <Matrix permissions={permissions} matrix={matrix} />
      {licenses.map(({ url, checked_at: checkedAt, fault }) => (
        <Text size="sm" key={url}>
          License {url}{' '}
          {fault ??
            (checkedAt === null
              ? version?.served_until == null
                ? 'has not been fetched yet'
                : 'isn’t stored: only licenses in the current robots.txt are fetched'
              : `was valid on ${formatFullTime(checkedAt, project.time_zone)}`)}
          .
        </Text>
      ))}
      {contradictions.length === 0 ? (
        <Text size="sm">No statement contradicts another one.</Text>
      ) : (
        <details>
          <Text component="summary" size="sm" c="dimmed" lh="24px">
            Details of the {contradictions.length === 1 ? 'contradiction' : 'contradictions'}
          </Text>
          <Contradictions project={project} permissions={permissions} contradictions={contradictions} />
        </details>
      )}
      <Text size="sm" c="dimmed">
        Headers and responses are from{' '}
        {sample.is_partial
          ? `${formatCount(matrix.visits)} sampled visits, the most recent of each day for ${PERMISSION_DAYS} days.`
          : `${formatCount(matrix.visits)} visits in the last ${PERMISSION_DAYS} days.`}
      </Text>
    </Stack>
  );
}

function toOption({ version, contradictions }: PermissionMatrixItem, timeZone: string) {
  if (version === null) return [];
  const count = `${contradictions.length} ${contradictions.length === 1 ? 'contradiction' : 'contradictions'}`;
  return { value: version.id, label: `robots.txt since ${formatFullTime(version.served_from, timeZone)}: ${count}` };
}

type Mechanism = Permissions['mechanisms'][number];

/** Mechanisms that don't state how pages may be used. */
const ALLOWED_LABELS: Partial<Record<Mechanism['mechanism'], string>> = { robots_rules: 'May fetch', served: 'Served' };

function Matrix({ permissions, matrix }: { permissions: Permissions; matrix: PermissionMatrixItem }) {
  const purposes = PURPOSES.map(({ key, label }) => ({
    ...matrix.purposes.find(({ purpose }) => purpose === key)!,
    label,
  }));
  const columns: readonly TableColumn<Mechanism>[] = [
    {
      key: 'mechanism',
      label: 'Mechanism',
      isHead: true,
      cell: ({ label }) => label,
    },
    ...purposes.map(({ purpose, label, cells }): TableColumn<Mechanism> => ({
      key: purpose,
      label,
      cell: ({ mechanism }) => {
        const { outcome, statements } = cells.find((cell) => cell.mechanism === mechanism)!;
        const isOverridden = matrix.contradictions.some(
          (found) => found.purpose === purpose && found.mechanism === mechanism,
        );
        return (
          <Outcome
            outcome={outcome}
            isOverridden={isOverridden}
            statement={statements[0]?.text}
            {...(ALLOWED_LABELS[mechanism] !== undefined && { allowedLabel: ALLOWED_LABELS[mechanism] })}
          />
        );
      },
    })),
  ];
  const rows = permissions.mechanisms.filter(
    ({ mechanism }) =>
      mechanism === 'robots_rules' ||
      matrix.purposes.some(({ cells }) => cells.some((cell) => cell.mechanism === mechanism && cell.outcome !== null)),
  );
  const others = permissions.mechanisms.filter((mechanism) => !rows.includes(mechanism));
  return (
    <>
      <DescriptionList
        facts={purposes.map(({ purpose, label, outcome }) => [
          label,
          <Fragment key={purpose}>
            <Outcome outcome={outcome} />
            {matrix.contradictions.some((found) => found.purpose === purpose) && (
              <Text span inherit c="dimmed">
                {' '}
                (statements differ, so the most restrictive one applies)
              </Text>
            )}
          </Fragment>,
        ])}
      />
      <DataTable label="Permissions by mechanism" columns={columns} rows={rows} rowKey={({ mechanism }) => mechanism} />
      {others.length > 0 && (
        <Text size="sm" c="dimmed">
          No statements: {others.map(({ label }) => label).join(', ')}
        </Text>
      )}
      <details>
        <Text component="summary" size="sm" c="dimmed">
          Specifications
        </Text>
        {permissions.mechanisms.map(({ mechanism, label, references }) => (
          <Text key={mechanism} size="xs" c="dimmed" lh="24px">
            {label}:{' '}
            {references.map(({ name, date, url }, index) => (
              <Fragment key={name}>
                {index > 0 && '; '}
                <Anchor href={url} target="_blank" rel="noreferrer" inherit>
                  {name}
                </Anchor>
                {date !== null && `, ${date}`}
              </Fragment>
            ))}
          </Text>
        ))}
      </details>
    </>
  );
}
