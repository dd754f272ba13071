import { once } from 'node:events';

/** Environment variables for measured processes. They enable the inspector. */
export const INSPECTOR_ENV = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/**
 * Returns the memory that a process uses after a garbage collection, on and off the heap, in MiB.
 *
 * @param output Process output, which contains the inspector's URL.
 */
export async function measureRetainedMib({ output }: { output: string }): Promise<number> {
  // Each restart adds a URL, so the last one is current.
  const url = output.match(/ws:\/\/\S+/g)?.at(-1);
  if (url === undefined) throw new Error('No inspector URL in the process output. Start the process with --inspect.');
  const inspector = new WebSocket(url);
  const [openEvent] = (await Promise.race([once(inspector, 'open'), once(inspector, 'error')])) as [Event];
  if (openEvent.type === 'error') throw new Error(`Could not connect to the inspector at ${url}`);
  try {
    await callInspector(inspector, 'HeapProfiler.collectGarbage');
    const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';
    const { result } = await callInspector(inspector, 'Runtime.evaluate', { expression });
    return result!.value / 2 ** 20;
  } finally {
    inspector.close();
  }
}

interface InspectorResult {
  result?: { value: number };
}

async function callInspector(inspector: WebSocket, method: string, params = {}): Promise<InspectorResult> {
  inspector.send(JSON.stringify({ id: 1, method, params }));
  const [message] = (await once(inspector, 'message')) as [MessageEvent];
  return (JSON.parse(message.data as string) as { result: InspectorResult }).result;
}
