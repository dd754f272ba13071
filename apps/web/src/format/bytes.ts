const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats a size such as "3.4 GB". 1 kB is 1,000 bytes. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < UNITS.length - 1) [value, unit] = [value / 1_000, unit + 1];
  return `${value.toFixed(unit === 0 || value >= 99.5 ? 0 : 1)} ${UNITS[unit]}`;
}
