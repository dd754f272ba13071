import { Select, type SelectProps } from '@mantine/core';
import { ownTimeZone, timeZones } from './time-zones.js';

export interface TimeZoneOptionsProps extends Omit<SelectProps, 'data'> {
  /** Time zone that must be listed, even if the browser knows it by another name. */
  present: string;
}

/** Searchable list of all time zones, with the browser's own first. */
export default function TimeZoneOptions({ present, ...props }: TimeZoneOptionsProps) {
  const own = ownTimeZone();
  const first = [...new Set([own, present])];
  const others = timeZones().filter((zone) => !first.includes(zone));
  const option = (zone: string) => ({ value: zone, label: zone.replaceAll('_', ' ') });
  return (
    <Select
      searchable
      allowDeselect={false}
      selectFirstOptionOnChange
      nothingFoundMessage="No time zone matches"
      data={[
        { group: own === present ? 'Your browser' : 'Your browser and this project', items: first.map(option) },
        { group: 'All time zones', items: others.map(option) },
      ]}
      {...props}
    />
  );
}
