import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { DrainSettingsForm } from '../../drains/drain-settings-form.js';
import { drainSettingsQuery } from '../../drains/queries.js';
import type { DrainField } from '../../drains/settings-fields.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';

export interface DrainsProps {
  projectId: string;
  isReader: boolean;
}

export default function Drains(props: DrainsProps) {
  const { data: settings, isPending } = useQuery(drainSettingsQuery(props.projectId));
  // Senders in use are open, which would move the page.
  if (isPending) return <CardSkeleton rows={5} />;
  return (
    <>
      <Section
        title="Log drains"
        lead={
          <>
            CDNs and log collectors send their logs to /drains/ on this instance.{' '}
            <TextLink
              to="/projects/$projectId/get-started"
              params={{ projectId: props.projectId }}
              search={{ how: 'cloudflare-logpush' }}
              size="sm"
            >
              Get started
            </TextLink>{' '}
            shows how to set up each of them.
          </>
        }
      >
        <DrainSettingsForm {...props} fields={['leaves_out_static_files', 'allows_token_in_url']} />
      </Section>
      <Section title="Senders" lead="Only these senders need settings of their own.">
        <Sender
          {...props}
          title="Vercel"
          lead="Settings to verify that logs come from Vercel."
          fields={['vercel_secret', 'vercel_verify']}
          isUsed={settings !== undefined && (settings.has_vercel_secret || settings.vercel_verify !== null)}
        />
        <Sender
          {...props}
          title="Fastly"
          lead="Fastly services that may send logs to this instance."
          fields={['fastly_service_ids']}
          isUsed={settings !== undefined && settings.fastly_service_ids.length > 0}
        />
        <Sender
          {...props}
          title="Custom JSON"
          lead="Maps fields in your JSON objects to visit fields."
          fields={['mapping']}
          isUsed={settings !== undefined && settings.mapping !== null}
        />
      </Section>
    </>
  );
}

interface SenderProps extends DrainsProps {
  title: string;
  lead: string;
  fields: readonly DrainField[];
  /** True if any of the fields is set. If so, the settings are open. */
  isUsed: boolean;
}

function Sender({ title, lead, isUsed, ...props }: SenderProps) {
  return (
    <details open={isUsed}>
      <summary>
        <Text span size="sm" fw={500}>
          {title}
        </Text>{' '}
        <Text span size="sm" c="dimmed">
          {lead}
        </Text>
      </summary>
      <Stack mt="xs" mb="sm">
        <DrainSettingsForm {...props} />
      </Stack>
    </details>
  );
}
