import { createLogger } from './logger.js';
import { PeriodicService } from './periodic-service.js';

it('works from startup to shutdown and logs failed rounds', async () => {
  const third = Promise.withResolvers<void>();
  const seen: boolean[] = [];
  class Sweeper extends PeriodicService {
    protected async round(): Promise<void> {
      seen.push(this.isStopped);
      if (seen.length === 1) throw new Error('no broom');
      if (seen.length === 3) third.resolve();
    }
  }
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'test', level: 'info', pretty: false, destination });
  const sweeper = new Sweeper(logger, 1, 'it is swept later');
  expect(seen).toEqual([]);
  await sweeper.onApplicationBootstrap();
  await third.promise;
  await sweeper.beforeApplicationShutdown();
  expect(seen).not.toContain(true);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'it is swept later', err: { message: 'no broom' } },
  ]);
});
