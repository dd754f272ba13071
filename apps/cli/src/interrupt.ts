/** Signals within this time count as one, because both the terminal and a parent process may forward Ctrl-C. */
const SAME_SIGNAL_MS = 500;

/**
 * Returns a signal that aborts on Ctrl-C or SIGTERM, so a command can shut down cleanly. A second Ctrl-C or SIGTERM
 * exits immediately.
 */
export function onInterrupt(): { signal: AbortSignal; dispose: () => void } {
  const controller = new AbortController();
  let first: number | undefined;
  const stop = (): void => {
    if (first !== undefined && Date.now() - first > SAME_SIGNAL_MS) process.exit(130);
    first ??= Date.now();
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const dispose = (): void => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  };
  return { signal: controller.signal, dispose };
}
