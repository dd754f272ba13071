import { setImmediate as settled } from 'node:timers/promises';
import { FairQueue } from './fair-queue.js';

class Jobs {
  readonly started: string[] = [];
  private readonly ends: (() => void)[] = [];

  constructor(private readonly queue: FairQueue) {}

  add(project: string, principal: string, count = 1): void {
    for (let number = 1; number <= count; number += 1) {
      void this.queue.run({ principal, project }, () => {
        this.started.push(`${principal} ${number}`);
        return new Promise<void>((resolve) => this.ends.push(resolve));
      });
    }
  }

  async endAll(): Promise<void> {
    while (this.ends.length > 0) {
      this.ends.shift()!();
      await settled();
    }
  }
}

it('reserves the last slot for others while one principal reads', async () => {
  const jobs = new Jobs(new FairQueue({ concurrency: 4, share: 3 }));
  jobs.add('shop', 'eve', 40);
  expect(jobs.started).toEqual(['eve 1', 'eve 2', 'eve 3']);
  jobs.add('blog', 'bob', 2);
  expect(jobs.started.at(-1)).toBe('bob 1');
  await jobs.endAll();
  expect(jobs.started.indexOf('bob 2')).toBeLessThan(6);
  expect(jobs.started).toHaveLength(42);
});

it('reserves the last slot from many principals in one project, and from one in many projects', () => {
  const ofProject = new Jobs(new FairQueue({ concurrency: 4, share: 3 }));
  for (let number = 0; number < 9; number += 1) ofProject.add('shop', `key ${number}`, 9);
  expect(ofProject.started).toHaveLength(3);
  const ofPrincipal = new Jobs(new FairQueue({ concurrency: 4, share: 3 }));
  for (let number = 0; number < 9; number += 1) ofPrincipal.add(`project ${number}`, 'eve', 9);
  expect(ofPrincipal.started).toHaveLength(3);
});

it('alternates between projects, and between the principals of each project', async () => {
  const jobs = new Jobs(new FairQueue({ concurrency: 1, share: 1 }));
  jobs.add('shop', 'eve', 3);
  jobs.add('shop', 'ann', 2);
  jobs.add('blog', 'bob', 3);
  await jobs.endAll();
  expect(jobs.started).toEqual(['eve 1', 'eve 2', 'bob 1', 'ann 1', 'bob 2', 'eve 3', 'bob 3', 'ann 2']);
});

it('continues after a job that fails', async () => {
  const queue = new FairQueue({ concurrency: 1, share: 1 });
  const reader = { principal: 'eve', project: 'shop' };
  const failing = queue.run(reader, () => Promise.reject(new Error('no')));
  const next = queue.run(reader, async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});
