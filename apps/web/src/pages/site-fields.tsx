import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { required } from '../ui/password.js';
import { TimeZoneSelect } from '../ui/time-zone-select.js';
import { ownTimeZone } from '../ui/time-zones.js';
import { addressFault, nameOfSite } from '../ui/site-address.js';

interface SiteValues extends Record<string, unknown> {
  site_address: string;
  name: string;
  time_zone: string;
}

export const SITE_RULES = { name: required('a name'), site_address: addressFault };

/** Fields for a new project's site. The name is derived from the address until the user edits it. */
export function SiteFields({ form }: { form: UseFormReturnType<SiteValues> }) {
  const typeAddress = (address: string): void => {
    const { name, site_address: before } = form.getValues();
    if (name === '' || name === nameOfSite(before)) form.setFieldValue('name', nameOfSite(address));
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
        onChange={({ currentTarget }) => typeAddress(currentTarget.value)}
      />
      <TextInput label="Project name" {...form.getInputProps('name')} />
      <TimeZoneSelect present={ownTimeZone()} {...form.getInputProps('time_zone')} />
    </>
  );
}
