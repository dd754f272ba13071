interface Window {
  requests: number;
  /** End of the window in milliseconds since the epoch. */
  endsAt: number;
}

/** Kind of visitors that share windows. */
type AllowanceKind = 'agents' | 'addresses';

/** Maximum number of windows per kind. The oldest ones are dropped first. */
const MAX_WINDOWS = 50_000;
const WINDOW_MS = 60_000;

/** Counts requests per minute in this process. A window starts with its first request, as in the instance. */
export class Allowances {
  /** Separate maps, so a flood of unknown visitors can't evict the windows of agents. */
  private readonly windowsByKind: Record<AllowanceKind, Map<string, Window>> = {
    agents: new Map(),
    addresses: new Map(),
  };

  /** @returns Seconds until the window ends, or 0 if the request is allowed. */
  take(kind: AllowanceKind, key: string, limit: number, now: number): number {
    const windows = this.windowsByKind[kind];
    const window = windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      // Deleting the key first moves it to the end.
      windows.delete(key);
      if (windows.size >= MAX_WINDOWS) windows.delete(windows.keys().next().value!);
      windows.set(key, { requests: 1, endsAt: now + WINDOW_MS });
      return 0;
    }
    window.requests += 1;
    return window.requests <= limit ? 0 : Math.ceil((window.endsAt - now) / 1_000);
  }
}
