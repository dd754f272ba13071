/** Returns true if the value is nested more than `limit` levels deep. A scalar has depth 0. Recursion stops at the limit. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit <= 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, limit - 1));
  for (const name in value) {
    const item = (value as Record<string, unknown>)[name];
    if (typeof item === 'object' && item !== null && isDeeperThan(item, limit - 1)) return true;
  }
  return false;
}
