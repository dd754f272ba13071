import { once } from 'node:events';
import type { Instance } from './instance.js';

/** Start the instance with these: its inspector is asked. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/** Megabytes that an instance still holds after a garbage collection, on the heap and beside it. */
export async function retainedMemory(instance: Instance): Promise<number> {
  const [url] = /ws:\/\/\S+/.exec(instance.output) ?? [];
  if (url === undefined) throw new Error('the instance was not started with its inspector');
  const inspector = new WebSocket(url);
  await once(inspector, 'open');
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
