const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/**
 * Formats a size such as "3.4 GB". 1 kB is 1,000 bytes.
 *
 * @param largest Size that determines the unit, for columns with a single unit.
 */
export function formatBytes(bytes: number, largest = bytes): string {
  let [scale, unit] = [1, 0];
  while (largest / scale >= 999.5 && unit < UNITS.length - 1) [scale, unit] = [scale * 1_000, unit + 1];
  const value = bytes / scale;
  return `${value.toFixed(unit === 0 || value >= 99.5 ? 0 : 1)} ${UNITS[unit]}`;
}
