/** What is to be sent before the process ends. */
export interface Ending {
  /** Whether there is nothing to send. */
  readonly isIdle: boolean;
  /** Settles when all is sent, or there is no time left; never fails. */
  shutdown(): Promise<void>;
}

const endings = new Set<Ending>();

/**
 * Has something sent before the process ends: at SIGTERM, and when nothing else is left to do. `process.exit()` waits
 * for nobody: a site that calls it calls `shutdown()` itself.
 */
export function endWithProcess(ending: Ending): void {
  endings.add(ending);
  if (endings.size > 1) return;
  process.on('beforeExit', () => void shutdownAll());
  // First, so that listeners that remove themselves are still there to be counted.
  process.prependListener('SIGTERM', endAtSignal);
}

/** Without a listener, the signal would have ended the process; so it does once all is sent, unless others listen. */
async function endAtSignal(signal: NodeJS.Signals): Promise<void> {
  const isAlone = process.listenerCount(signal) === 1;
  await shutdownAll();
  if (!isAlone) return;
  process.off(signal, endAtSignal);
  process.kill(process.pid, signal);
}

async function shutdownAll(): Promise<void> {
  // Nothing may be begun where nothing is left: `beforeExit` would come again and again.
  await Promise.all([...endings].filter(({ isIdle }) => !isIdle).map((ending) => ending.shutdown()));
}
