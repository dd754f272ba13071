import { Radio, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Project } from '../../api/client.js';
import { Section } from '../../ui/section.js';
import type { SettingsPartProps } from './general.js';
import { SettingsForm } from './settings-form.js';

type Mode = Project['unknown_visitors'];

const MODES: Record<Mode, [label: string, description: string]> = {
  kept: ['Kept like others', 'With the address and all headers, except redacted values'],
  reduced: [
    'Reduced',
    'Kept without the address, and with only the headers that identification needs, such as User-Agent. Paths with their queries stay, and so do your own fields',
  ],
  counted: ['Only counted', 'They appear in the overview only, not as single visits'],
};

export function UnknownVisitors({ project, isReader }: SettingsPartProps) {
  const form = useForm<{ unknown_visitors: Mode }>({
    initialValues: { unknown_visitors: project.unknown_visitors },
  });
  return (
    <Section
      title="Visits of unknown visitors"
      lead="Visits in which no agent was identified are mostly people's. An administrator sets for how many days they are kept, on the System page."
    >
      <SettingsForm project={project} form={form} isReader={isReader} change={(values) => values}>
        <Radio.Group
          aria-label="Visits of unknown visitors"
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
