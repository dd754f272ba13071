import type { Page } from '@playwright/test';

/**
 * Script that runs before the page's own scripts. It counts stream events by type. It also records interaction times,
 * from input to the next paint, with the Event Timing API.
 */
const WATCH = `
  window.watched = { events: { visit: 0, skipped: 0, filtered: 0 }, interactions: {} };
  const { events, interactions } = window.watched;
  window.EventSource = class extends EventSource {
    constructor(...parameters) {
      super(...parameters);
      this.addEventListener('visit', () => (events.visit += 1));
      for (const name of ['skipped', 'filtered'])
        this.addEventListener(name, ({ data }) => (events[name] += JSON.parse(data).visits));
    }
  };
  new PerformanceObserver((list) => {
    for (const { interactionId: id, duration } of list.getEntries())
      if (id) interactions[id] = Math.max(interactions[id] ?? 0, duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
`;

export class WatchedPage {
  private constructor(private readonly page: Page) {}

  static async on(page: Page): Promise<WatchedPage> {
    await page.addInitScript(WATCH);
    return new WatchedPage(page);
  }

  async events(): Promise<{ visit: number; skipped: number; filtered: number }> {
    return this.page.evaluate('window.watched.events');
  }

  /** Interaction durations in milliseconds, in ascending order. Interactions under 16 ms count as 16 ms. */
  async interactions(): Promise<number[]> {
    const [slow, all] = await this.page.evaluate<[number[], number]>(
      '[Object.values(window.watched.interactions), performance.interactionCount ?? 0]',
    );
    const quick = Math.max(0, all - slow.length);
    return [...Array.from({ length: quick }, () => 16), ...slow].toSorted((one, other) => one - other);
  }

  /**
   * Starts measuring the page's main thread.
   *
   * @returns a function that returns the CPU seconds used since the start and the heap size in MiB
   */
  async meter(): Promise<() => Promise<{ seconds: number; megabytes: number }>> {
    const session = await this.page.context().newCDPSession(this.page);
    // Measure the thread's CPU time instead of wall-clock time, to exclude other load on the machine.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const read = async (): Promise<{ seconds: number; megabytes: number }> => {
      const { metrics } = await session.send('Performance.getMetrics');
      const value = (name: string): number => metrics.find((metric) => metric.name === name)!.value;
      return { seconds: value('TaskDuration'), megabytes: value('JSHeapUsedSize') / 2 ** 20 };
    };
    const { seconds: before } = await read();
    return async () => {
      const { seconds, megabytes } = await read();
      return { seconds: seconds - before, megabytes };
    };
  }

  /** Visit IDs of all rows in the live table, in order. Includes rows that are out of view. */
  async rowIds(): Promise<string[]> {
    return this.page.evaluate(`(async () => {
      const table = document.querySelector('[role=table]');
      const ids = [];
      for (let top = 0; top < table.scrollHeight; top += 200) {
        table.scrollTop = top;
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        for (const row of table.querySelectorAll('[data-index]'))
          ids[Number(row.dataset.index)] = new URL(row.querySelector('a').href).searchParams.get('visit');
      }
      table.scrollTop = 0;
      return ids;
    })()`);
  }
}
