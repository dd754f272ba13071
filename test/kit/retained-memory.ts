import { once } from 'node:events';

/** Environment for processes to measure. Enables their inspector. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/**
 * Returns the memory in MiB that a process uses after a garbage collection, on the heap and off it.
 *
 * @param output Output of the process, which contains the inspector's URL.
 */
export async function retainedMemory({ output }: { output: string }): Promise<number> {
  // After restarts, the last URL is the current one.
  const url = output.match(/ws:\/\/\S+/g)?.at(-1);
  if (url === undefined) throw new Error('the process was not started with its inspector');
  const inspector = new WebSocket(url);
  const [opening] = (await Promise.race([once(inspector, 'open'), once(inspector, 'error')])) as [Event];
  if (opening.type === 'error') throw new Error(`the inspector at ${url} does not answer`);
  try {
    await ask(inspector, 'HeapProfiler.collectGarbage');
    const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';
    const { result } = await ask(inspector, 'Runtime.evaluate', { expression });
    return result!.value / 2 ** 20;
  } finally {
    inspector.close();
  }
}

interface Answer {
  result?: { value: number };
}

async function ask(inspector: WebSocket, method: string, params = {}): Promise<Answer> {
  inspector.send(JSON.stringify({ id: 1, method, params }));
  const [message] = (await once(inspector, 'message')) as [MessageEvent];
  return (JSON.parse(message.data as string) as { result: Answer }).result;
}
