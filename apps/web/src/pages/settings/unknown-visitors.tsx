import { Radio, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Project } from '../../api/client.js';
import { Section } from '../../ui/section.js';
import type { SettingsPartProps } from './general.js';
import { SettingsForm } from './settings-form.js';

type Mode = Project['unknown_visitors'];

const MODES: Record<Mode, [label: string, description: string]> = {
  kept: ['Kept like other visits', 'Includes the address and all headers, except redacted values'],
  reduced: [
    'Reduced',
    'Kept without the address and with only the headers needed for identification, such as User-Agent. Paths, query strings and custom fields are also kept',
  ],
  counted: ['Only counted', 'Included in the overview, but not stored as individual visits'],
};

export function UnknownVisitors({ project, isReader }: SettingsPartProps) {
  const form = useForm<{ unknown_visitors: Mode }>({
    initialValues: { unknown_visitors: project.unknown_visitors },
  });
  return (
    <Section
      title="Visits by unknown visitors"
      lead="Visits without an identified agent are mostly by people. Administrators set how many days they're kept on the System page."
    >
      <SettingsForm project={project} form={form} isReader={isReader} change={(values) => values}>
        <Radio.Group
          aria-label="Visits by unknown visitors"
          readOnly={isReader}
          {...form.getInputProps('unknown_visitors')}
        >
          <Stack gap="xs">
            {Object.entries(MODES).map(([value, [label, description]]) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
      </SettingsForm>
    </Section>
  );
}
