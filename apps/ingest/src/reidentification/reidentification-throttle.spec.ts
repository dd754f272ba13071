import { jest } from '@jest/globals';
import { InProcessBus } from '#libs/bus';
import { ReidentificationThrottle } from './reidentification-throttle.js';

describe('Pace', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** @param isHandling Called on each check. Returns true while the bus is handling visits. */
  function createThrottle(isHandling: () => boolean): ReidentificationThrottle {
    const bus = new InProcessBus();
    jest.spyOn(bus, 'isHandling', 'get').mockImplementation(isHandling);
    return new ReidentificationThrottle(bus);
  }

  it('pauses re-identification until no new visits are being handled', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(0);
    const handlingStates = [true, true, true, false];
    await createThrottle(() => handlingStates.shift()!).yieldToNewVisits();
    expect(handlingStates).toEqual([]);
  });

  it('resumes re-identification after a timeout if new visits never stop arriving', async () => {
    await expect(createThrottle(() => true).yieldToNewVisits()).resolves.toBeUndefined();
  });

  it('stops waiting when the process shuts down', async () => {
    const closing = new AbortController();
    const pausing = createThrottle(() => false).limitLoad(3_600_000, closing.signal);
    closing.abort();
    await expect(pausing).resolves.toBeUndefined();
  });

  it('considers visits live until none have arrived for a second', () => {
    const throttle = createThrottle(() => false);
    const clock = jest.spyOn(performance, 'now');
    const checks: [at: number, newest: string, isLive: boolean][] = [
      // The first check.
      [0, '1', true],
      [100, '1', false],
      [200, '2', true],
      [1_100, '2', true],
      [1_201, '2', false],
      // After a long pause.
      [9_000, '2', false],
      [19_000, '3', true],
    ];
    for (const [at, newest, isLive] of checks) {
      clock.mockReturnValue(at);
      expect([at, throttle.isLive(newest)]).toEqual([at, isLive]);
    }
  });
});
