export interface ShutdownTask {
  readonly isIdle: boolean;
  /** Resolves when all work is done or the timeout expires. Never rejects. */
  shutdown(): Promise<void>;
}

const tasks = new Set<ShutdownTask>();

/**
 * Registers a client to shut down on SIGTERM or when the event loop is empty. Sites that call `process.exit()` must
 * call `shutdown()` first.
 */
export function shutDownOnExit(task: ShutdownTask): void {
  tasks.add(task);
  if (tasks.size > 1) return;
  process.on('beforeExit', () => void shutDownAll());
  // Run this listener first: Node.js removes `once` listeners before they run, so they would no longer be counted.
  process.prependListener('SIGTERM', handleSignal);
}

/**
 * Shuts down all clients and resends the signal to end the process. If the site has its own signal listeners, exiting
 * is left to them.
 */
async function handleSignal(signal: NodeJS.Signals): Promise<void> {
  const isOnlyListener = process.listenerCount(signal) === 1;
  await shutDownAll();
  if (!isOnlyListener) return;
  process.off(signal, handleSignal);
  process.kill(process.pid, signal);
}

async function shutDownAll(): Promise<void> {
  // Skip idle clients. Any asynchronous work would make Node.js emit `beforeExit` again, in an endless loop.
  await Promise.all([...tasks].filter(({ isIdle }) => !isIdle).map((task) => task.shutdown()));
}
