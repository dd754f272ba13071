import { Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { fromLines, toLines } from '../../shell/lines.js';
import { Section } from '../../shell/section.js';
import type { SettingsPartProps } from './general.js';
import { SettingsForm } from './settings-form.js';

export function RedactedHeaders({ project, isReader }: SettingsPartProps) {
  const form = useForm({ initialValues: { redacted_headers: toLines(project.redacted_headers) } });
  return (
    <Section
      title="Redacted headers"
      lead="Their values are replaced before anything is stored. Those that carry credentials, such as authorization and cookie, always are."
    >
      <SettingsForm
        project={project}
        form={form}
        isReader={isReader}
        change={({ redacted_headers: text }) => ({ redacted_headers: fromLines(text) })}
      >
        <Textarea
          label="Header names"
          description="One a line"
          placeholder="x-customer-id"
          rows={3}
          readOnly={isReader}
          {...form.getInputProps('redacted_headers')}
        />
      </SettingsForm>
    </Section>
  );
}
