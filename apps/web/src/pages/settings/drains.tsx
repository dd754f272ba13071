import { DrainSettingsForm } from '../../drains/drain-settings-form.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';

export interface DrainsProps {
  projectId: string;
  isReader: boolean;
}

export default function Drains(props: DrainsProps) {
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
      <Section title="Vercel" lead="Settings to verify that logs come from Vercel.">
        <DrainSettingsForm {...props} fields={['vercel_secret', 'vercel_verify']} />
      </Section>
      <Section title="Fastly" lead="Fastly services that may send logs to this instance.">
        <DrainSettingsForm {...props} fields={['fastly_service_ids']} />
      </Section>
      <Section title="Custom JSON" lead="Maps fields in your JSON objects to visit fields.">
        <DrainSettingsForm {...props} fields={['mapping']} />
      </Section>
    </>
  );
}
