const MIN_INTERVAL_MS = 60_000;

let lastWarnedAt = -Infinity;

/**
 * Logs a console warning, at most once a minute so that an outage doesn't flood the site's log.
 *
 * @param isFinal Bypasses the rate limit because the process is about to exit.
 */
export function warn(message: string, isFinal = false): void {
  if (!isFinal && performance.now() - lastWarnedAt < MIN_INTERVAL_MS) return;
  lastWarnedAt = performance.now();
  // Site owners monitor their own log, so warnings go to the console.
  // oxlint-disable-next-line no-console
  console.warn(`Agent Traffic: ${message}`);
}
