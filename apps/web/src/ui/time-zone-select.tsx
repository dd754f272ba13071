import { NativeSelect, type NativeSelectProps } from '@mantine/core';

/** Every zone the browser knows, UTC first. */
const TIME_ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** The one of the person who looks. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export interface TimeZoneSelectProps extends NativeSelectProps {
  /** A zone that has to be among them, though the browser may have another name for it. */
  present: string;
}

export function TimeZoneSelect({ present, ...props }: TimeZoneSelectProps) {
  const zones = TIME_ZONES.includes(present) ? TIME_ZONES : [present, ...TIME_ZONES];
  return (
    <NativeSelect label="Time zone" description="Days start and end in this time zone." data={[...zones]} {...props} />
  );
}
