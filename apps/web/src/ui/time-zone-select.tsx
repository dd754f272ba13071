import { Select, type SelectProps } from '@mantine/core';
import { ownTimeZone, timeZones } from './time-zones.js';

export interface TimeZoneSelectProps extends Omit<SelectProps, 'data'> {
  /** A zone that has to be among them, though the browser may have another name for it. */
  present: string;
}

/** Every time zone, found by typing; the browser's own comes first. */
export function TimeZoneSelect({ present, ...props }: TimeZoneSelectProps) {
  const own = ownTimeZone();
  const first = [...new Set([own, present])];
  const others = timeZones().filter((zone) => !first.includes(zone));
  const option = (zone: string) => ({ value: zone, label: zone.replaceAll('_', ' ') });
  return (
    <Select
      label="Time zone"
      description="Days start and end in this time zone."
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
