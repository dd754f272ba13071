const INTERVAL_MS = 60_000;

let lastWarnedAt = -Infinity;

/**
 * Writes a warning on the console, at most one a minute: an instance that is down must not fill the site's log.
 *
 * @param isFinal whether the process ends, so that nothing would be written later.
 */
export function warn(message: string, isFinal = false): void {
  if (!isFinal && performance.now() - lastWarnedAt < INTERVAL_MS) return;
  lastWarnedAt = performance.now();
  // The site's own log is the only place where its owner looks.
  // oxlint-disable-next-line no-console
  console.warn(`Agent Traffic: ${message}`);
}
