import { createLogger } from './logger.js';
import { PeriodicService } from './periodic-service.js';

it('PeriodicService runs from startup to shutdown and logs failed rounds', async () => {
  const thirdRound = Promise.withResolvers<void>();
  const stoppedStates: boolean[] = [];
  class TestService extends PeriodicService {
    protected async runRound(): Promise<void> {
      stoppedStates.push(this.isStopped);
      if (stoppedStates.length === 1) throw new Error('database unavailable');
      if (stoppedStates.length === 3) thirdRound.resolve();
    }
  }
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'test', level: 'info', pretty: false, destination });
  const testService = new TestService(logger, 1, 'cleanup failed');
  expect(stoppedStates).toEqual([]);
  await testService.onApplicationBootstrap();
  await thirdRound.promise;
  await testService.beforeApplicationShutdown();
  expect(stoppedStates).not.toContain(true);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'cleanup failed', err: { message: 'database unavailable' } },
  ]);
});
