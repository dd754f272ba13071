import { setImmediate } from 'node:timers/promises';
import { FairQueue } from './fair-queue.js';

class Jobs {
  readonly started: string[] = [];
  private readonly resolvers: (() => void)[] = [];

  constructor(private readonly queue: FairQueue) {}

  add(project: string, principal: string, count = 1): void {
    for (let number = 1; number <= count; number += 1) {
      void this.queue.run({ principal, project }, () => {
        this.started.push(`${principal} ${number}`);
        return new Promise<void>((resolve) => this.resolvers.push(resolve));
      });
    }
  }

  async finishAll(): Promise<void> {
    while (this.resolvers.length > 0) {
      this.resolvers.shift()!();
      await setImmediate();
    }
  }
}

it('reserves the last slot for other principals while one has many jobs', async () => {
  const jobs = new Jobs(new FairQueue({ concurrency: 4, share: 3 }));
  jobs.add('shop', 'eve', 40);
  expect(jobs.started).toEqual(['eve 1', 'eve 2', 'eve 3']);
  jobs.add('blog', 'bob', 2);
  expect(jobs.started.at(-1)).toBe('bob 1');
  await jobs.finishAll();
  expect(jobs.started.indexOf('bob 2')).toBeLessThan(6);
  expect(jobs.started).toHaveLength(42);
});

it('limits both a project with many principals and a principal with many projects', () => {
  const projectJobs = new Jobs(new FairQueue({ concurrency: 4, share: 3 }));
  for (let number = 0; number < 9; number += 1) projectJobs.add('shop', `key ${number}`, 9);
  expect(projectJobs.started).toHaveLength(3);
  const principalJobs = new Jobs(new FairQueue({ concurrency: 4, share: 3 }));
  for (let number = 0; number < 9; number += 1) principalJobs.add(`project ${number}`, 'eve', 9);
  expect(principalJobs.started).toHaveLength(3);
});

it('alternates between projects, and between principals within a project', async () => {
  const jobs = new Jobs(new FairQueue({ concurrency: 1, share: 1 }));
  jobs.add('shop', 'eve', 3);
  jobs.add('shop', 'ann', 2);
  jobs.add('blog', 'bob', 3);
  await jobs.finishAll();
  expect(jobs.started).toEqual(['eve 1', 'eve 2', 'bob 1', 'ann 1', 'bob 2', 'eve 3', 'bob 3', 'ann 2']);
});

it('runs the next job after one fails', async () => {
  const queue = new FairQueue({ concurrency: 1, share: 1 });
  const reader = { principal: 'eve', project: 'shop' };
  const failing = queue.run(reader, () => Promise.reject(new Error('no')));
  const next = queue.run(reader, async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});
