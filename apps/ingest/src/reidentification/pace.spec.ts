import { jest } from '@jest/globals';
import { InProcessBus } from '#libs/bus';
import { Pace } from './pace.js';

describe('Pace', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** @param handling Returns whether the bus is handling visits. Called on each check. */
  function paceBeside(handling: () => boolean): Pace {
    const bus = new InProcessBus();
    jest.spyOn(bus, 'isHandling', 'get').mockImplementation(handling);
    return new Pace(bus);
  }

  it('waits until no new visits are being handled', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(0);
    const answers = [true, true, true, false];
    await paceBeside(() => answers.shift()!).giveWay();
    expect(answers).toEqual([]);
  });

  it('resumes after a while if new visits never stop', async () => {
    await expect(paceBeside(() => true).giveWay()).resolves.toBeUndefined();
  });

  it('ends a rest when the process shuts down', async () => {
    const closing = new AbortController();
    const rest = paceBeside(() => false).rest(3_600_000, closing.signal);
    closing.abort();
    await expect(rest).resolves.toBeUndefined();
  });

  it('considers visits live until none have arrived for a second', () => {
    const pace = paceBeside(() => false);
    const clock = jest.spyOn(performance, 'now');
    const looks: [at: number, newest: string, isLive: boolean][] = [
      // The first check.
      [0, '1', true],
      [100, '1', false],
      [200, '2', true],
      [1_100, '2', true],
      [1_201, '2', false],
      // After a long rest.
      [9_000, '2', false],
      [19_000, '3', true],
    ];
    for (const [at, newest, isLive] of looks) {
      clock.mockReturnValue(at);
      expect([at, pace.isLive(newest)]).toEqual([at, isLive]);
    }
  });
});
