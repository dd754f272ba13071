import { Select, type SelectProps } from '@mantine/core';
import '@mantine/core/styles/Combobox.css';
import { getBrowserTimeZone, listTimeZones } from './time-zones.js';

export interface TimeZoneOptionsProps extends Omit<SelectProps, 'data'> {
  /** Time zone to list even if the browser uses another name for it. */
  present: string;
}

/** Searchable list of all time zones, with the browser's time zone first. */
export default function TimeZoneOptions({ present, ...props }: TimeZoneOptionsProps) {
  const browserZone = getBrowserTimeZone();
  const first = [...new Set([browserZone, present])];
  const others = listTimeZones().filter((zone) => !first.includes(zone));
  const option = (zone: string) => ({ value: zone, label: zone.replaceAll('_', ' ') });
  return (
    <Select
      searchable
      allowDeselect={false}
      selectFirstOptionOnChange
      nothingFoundMessage="No matching time zones"
      data={[
        { group: browserZone === present ? 'Your browser' : 'Your browser and this project', items: first.map(option) },
        { group: 'All time zones', items: others.map(option) },
      ]}
      {...props}
    />
  );
}
