import { Alert, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { projectQuery } from '../../api/queries.js';
import { DrainSettingsForm } from '../../drains/drain-settings-form.js';
import { command, INSTALL_LOCATION } from '../../ui/command.js';
import { DescriptionList } from '../../ui/description-list.js';
import { BehindProxy } from './behind-proxy.js';
import { DrainStatus } from './drain-status.js';
import { SnippetList } from '../../ui/snippet-list.js';
import type { Access } from '../../ui/snippet-part.js';
import { getDrainSender, type DrainSource } from '#libs/drains';

export interface DrainIntegrationProps {
  projectId: string;
  source: DrainSource;
  access: Access;
}

export default function DrainIntegration({ projectId, source, access }: DrainIntegrationProps) {
  const { label, guide } = getDrainSender(source);
  const { lead, parts, settings, isRemote, verifiedBy, lacks } = guide;
  const isReader = useSuspenseQuery(projectQuery(projectId)).data.role === 'viewer';
  return (
    <Stack gap="sm">
      <Text size="sm">{lead}</Text>
      {isRemote && !access.address.startsWith('https:') && (
        <Alert variant="outline" color="gray" title="This instance needs a public HTTPS address">
          {label} only sends to HTTPS addresses, but this instance’s address is {access.address}. Set up TLS, then set
          PUBLIC_URL to an HTTPS address.
        </Alert>
      )}
      <DrainStatus projectId={projectId} source={source} label={label} />
      {settings.length > 0 && <DrainSettingsForm projectId={projectId} fields={settings} isReader={isReader} />}
      <SnippetList
        label={label}
        parts={[
          ...parts(access),
          { title: `Or send a sample log, ${INSTALL_LOCATION}`, text: command(`drains test ${source}`) },
        ]}
      />
      <DescriptionList
        facts={[
          ['Verifiable agents', verifiedBy],
          ['Missing from this log', lacks],
        ]}
      />
      {!isRemote && <BehindProxy projectId={projectId} />}
    </Stack>
  );
}
