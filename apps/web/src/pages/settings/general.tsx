import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Project, Versioned } from '../../api/client.js';
import { required } from '../../ui/password.js';
import { Section } from '../../ui/section.js';
import { TimeZoneSelect } from '../../ui/time-zone-select.js';
import { validateAddress, completeAddress } from '../../ui/site-address.js';
import { SettingsForm } from './settings-form.js';

export interface SettingsPartProps {
  project: Versioned<Project>;
  /** True if the user can only view the settings. */
  isReader: boolean;
}

export function General({ project, isReader }: SettingsPartProps) {
  const { name, site_address: site, time_zone: zone } = project;
  const form = useForm({
    initialValues: { name, site_address: site ?? '', time_zone: zone },
    validate: { name: required('a name'), site_address: validateAddress },
  });
  return (
    <Section title="General">
      <SettingsForm
        project={project}
        form={form}
        isReader={isReader}
        saved="Saved."
        change={(values) => ({
          name: values.name.trim(),
          site_address: completeAddress(values.site_address),
          time_zone: values.time_zone,
        })}
      >
        <TextInput label="Name" readOnly={isReader} {...form.getInputProps('name')} />
        <TextInput
          label="Site address"
          placeholder="https://www.example.com"
          inputMode="url"
          readOnly={isReader}
          {...form.getInputProps('site_address')}
        />
        <TimeZoneSelect present={zone} disabled={isReader} {...form.getInputProps('time_zone')} />
      </SettingsForm>
    </Section>
  );
}
