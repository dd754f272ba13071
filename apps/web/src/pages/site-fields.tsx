import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { required } from '../ui/password.js';
import { TimeZoneSelect } from '../ui/time-zone-select.js';
import { getBrowserTimeZone } from '../ui/time-zones.js';
import { validateAddress, toProjectName } from '../ui/site-address.js';

interface SiteValues extends Record<string, unknown> {
  site_address: string;
  name: string;
  time_zone: string;
}

export const SITE_RULES = { name: required('a name'), site_address: validateAddress };

/** Fields for a new project's site. The project name is derived from the address until the user edits it. */
export function SiteFields({ form }: { form: UseFormReturnType<SiteValues> }) {
  const changeAddress = (address: string): void => {
    const { name, site_address: previousAddress } = form.getValues();
    if (name === '' || name === toProjectName(previousAddress)) form.setFieldValue('name', toProjectName(address));
    form.setFieldValue('site_address', address);
  };
  return (
    <>
      <TextInput
        label="Site address"
        description="Optional"
        placeholder="https://www.example.com"
        inputMode="url"
        data-autofocus
        {...form.getInputProps('site_address')}
        onChange={({ currentTarget }) => changeAddress(currentTarget.value)}
      />
      <TextInput label="Project name" {...form.getInputProps('name')} />
      <TimeZoneSelect present={getBrowserTimeZone()} {...form.getInputProps('time_zone')} />
    </>
  );
}
