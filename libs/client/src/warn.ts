const INTERVAL_MS = 60_000;

let lastWarnedAt = -Infinity;

/**
 * Logs a warning to the console, at most once a minute, so an outage doesn't flood the site's log.
 *
 * @param isFinal Bypasses the limit, because the process is about to exit.
 */
export function warn(message: string, isFinal = false): void {
  if (!isFinal && performance.now() - lastWarnedAt < INTERVAL_MS) return;
  lastWarnedAt = performance.now();
  // Site owners only watch their own log.
  // oxlint-disable-next-line no-console
  console.warn(`Agent Traffic: ${message}`);
}
