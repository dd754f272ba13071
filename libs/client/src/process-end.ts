/** Work to finish before the process exits. */
export interface Ending {
  readonly isIdle: boolean;
  /** Resolves when everything is sent or the time is up. Never rejects. */
  shutdown(): Promise<void>;
}

const endings = new Set<Ending>();

/**
 * Calls `shutdown()` before the process exits: at SIGTERM, and when the event loop is empty. A site that calls
 * `process.exit()` must call `shutdown()` first.
 */
export function endWithProcess(ending: Ending): void {
  endings.add(ending);
  if (endings.size > 1) return;
  process.on('beforeExit', () => void shutdownAll());
  // Prepended, because `once` listeners are removed before they run and must still be counted.
  process.prependListener('SIGTERM', endAtSignal);
}

/** Shuts down, then sends the signal again to end the process. If there are other listeners, exiting is up to them. */
async function endAtSignal(signal: NodeJS.Signals): Promise<void> {
  const isAlone = process.listenerCount(signal) === 1;
  await shutdownAll();
  if (!isAlone) return;
  process.off(signal, endAtSignal);
  process.kill(process.pid, signal);
}

async function shutdownAll(): Promise<void> {
  // Idle work is skipped: anything asynchronous would make Node.js emit `beforeExit` again, endlessly.
  await Promise.all([...endings].filter(({ isIdle }) => !isIdle).map((ending) => ending.shutdown()));
}
