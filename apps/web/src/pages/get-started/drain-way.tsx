import { Alert, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { projectQuery } from '../../api/queries.js';
import { DrainSettingsForm } from '../../drains/drain-settings-form.js';
import { command, WHERE } from '../../ui/command.js';
import { DescriptionList } from '../../ui/description-list.js';
import { BehindProxy } from './behind-proxy.js';
import { DrainStatus } from './drain-status.js';
import { Parts } from '../../ui/parts.js';
import type { Access } from '../../ui/snippet-part.js';
import { drainSender, type DrainSource } from '#libs/drains';

export interface DrainWayProps {
  projectId: string;
  source: DrainSource;
  access: Access;
}

export default function DrainWay({ projectId, source, access }: DrainWayProps) {
  const { label, guide } = drainSender(source);
  const { lead, parts, settings, isRemote, verifiedBy, lacks } = guide;
  const isReader = useSuspenseQuery(projectQuery(projectId)).data.role === 'viewer';
  return (
    <Stack gap="sm">
      <Text size="sm">{lead}</Text>
      {isRemote && !access.address.startsWith('https:') && (
        <Alert variant="outline" color="gray" title="This instance needs a public https address">
          {label} only sends to https, and this instance is at {access.address}. Put it behind TLS and set PUBLIC_URL.
        </Alert>
      )}
      <DrainStatus projectId={projectId} source={source} label={label} />
      {settings.length > 0 && <DrainSettingsForm projectId={projectId} fields={settings} isReader={isReader} />}
      <Parts
        label={label}
        parts={[
          ...parts(access),
          { title: `Or send a sample of it, ${WHERE}`, text: command(`drains test ${source}`) },
        ]}
      />
      <DescriptionList
        facts={[
          ['Can be verified', verifiedBy],
          ['Not in this log', lacks],
        ]}
      />
      {!isRemote && <BehindProxy projectId={projectId} />}
    </Stack>
  );
}
