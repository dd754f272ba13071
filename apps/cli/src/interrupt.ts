/** Signals that come closer together are one: a terminal and a parent process may both deliver it. */
const SAME_SIGNAL_MS = 500;

/**
 * A signal that is aborted at Ctrl-C (or SIGTERM), so that a command can end in order; a second Ctrl-C ends the
 * process at once.
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
