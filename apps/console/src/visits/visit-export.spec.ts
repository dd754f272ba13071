import { once } from 'node:events';
import { jest } from '@jest/globals';
import { withIdleTimeout } from './visit-export.service.js';

async function* endless(): AsyncGenerator<Buffer, void> {
  for (;;) yield Buffer.alloc(100_000);
}

it('destroys an export stream only after the client has read nothing for the entire idle timeout', async () => {
  jest.useFakeTimers();
  const stream = withIdleTimeout(1_000, endless());
  for (let chunk = 0; chunk < 5; chunk += 1) {
    await once(stream, 'readable');
    jest.advanceTimersByTime(900);
    expect(stream.destroyed).toBe(false);
    while (stream.read() !== null);
  }
  jest.advanceTimersByTime(1_100);
  expect(stream.destroyed).toBe(true);
  jest.useRealTimers();
});
