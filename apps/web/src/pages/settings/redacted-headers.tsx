import { Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { parseList, joinLines } from '../../format/lines.js';
import { Section } from '../../ui/section.js';
import type { SettingsPartProps } from './general.js';
import { SettingsForm } from './settings-form.js';

export function RedactedHeaders({ project, isReader }: SettingsPartProps) {
  const form = useForm({
    initialValues: {
      redacted_headers: joinLines(project.redacted_headers),
      unredacted_headers: joinLines(project.unredacted_headers),
    },
  });
  return (
    <Section
      title="Redacted values"
      lead="Values of headers, fields and URL parameters that look like credentials are redacted before anything is stored."
    >
      <SettingsForm
        project={project}
        form={form}
        isReader={isReader}
        change={({ redacted_headers: redacted, unredacted_headers: unredacted }) => ({
          redacted_headers: parseList(redacted),
          unredacted_headers: parseList(unredacted),
        })}
      >
        <Textarea
          label="Also redact"
          description="Names, one per line"
          placeholder="x-customer-id"
          rows={3}
          readOnly={isReader}
          {...form.getInputProps('redacted_headers')}
        />
        <Textarea
          label="Never redact"
          description="Names that look like credentials but aren’t, one per line. Authorization and cookies are always redacted."
          placeholder="x-cache-key"
          rows={3}
          readOnly={isReader}
          {...form.getInputProps('unredacted_headers')}
        />
      </SettingsForm>
    </Section>
  );
}
