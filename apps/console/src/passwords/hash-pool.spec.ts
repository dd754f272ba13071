import { scryptSync } from 'node:crypto';
import { HashPool, HashPoolFullError, type HashJob } from './hash-pool.js';

const job: HashJob = { password: 'correct horse', salt: 'salt', N: 16, r: 8, p: 1, length: 32 };

let pool: HashPool;
afterEach(() => pool.close());

it('derives the same key as scrypt', async () => {
  pool = new HashPool({ threads: 1 });
  expect(await pool.run(job, 'known')).toEqual(scryptSync('correct horse', 'salt', 32, { N: 16, r: 8, p: 1 }));
});

it('runs hash jobs from known devices before those from strangers, in order within each group', async () => {
  pool = new HashPool({ threads: 1 });
  const finishedJobs: string[] = [];
  const run = async (name: string, priority: 'known' | 'stranger') => {
    await pool.run(job, priority);
    finishedJobs.push(name);
  };
  await Promise.all([
    run('first stranger', 'stranger'),
    run('second stranger', 'stranger'),
    run('third stranger', 'stranger'),
    run('first known', 'known'),
    run('second known', 'known'),
  ]);
  expect(finishedJobs).toEqual(['first stranger', 'first known', 'second known', 'second stranger', 'third stranger']);
});

it('rejects strangers when their queue is full, and queues known devices separately', async () => {
  pool = new HashPool({ threads: 2, maxWaiting: 3 });
  const run = (priority: 'known' | 'stranger') =>
    pool.run(job, priority).then(
      () => 'done',
      (error: unknown) => (error instanceof HashPoolFullError ? 'rejected' : error),
    );
  const strangers = Array.from({ length: 7 }, () => run('stranger'));
  const known = Array.from({ length: 4 }, () => run('known'));
  expect(await Promise.all(strangers)).toEqual([...Array(5).fill('done'), 'rejected', 'rejected']);
  expect(await Promise.all(known)).toEqual(['done', 'done', 'done', 'rejected']);
  expect(await run('stranger')).toBe('done');
});

it('replaces a thread that crashes', async () => {
  pool = new HashPool({ threads: 1 });
  const failing = pool.run({ ...job, N: 15 }, 'known');
  const waiting = pool.run(job, 'known');
  await expect(failing).rejects.toThrow('the hashing thread terminated');
  expect(await waiting).toHaveLength(32);
});

it('rejects waiting jobs when the pool is closed', async () => {
  pool = new HashPool({ threads: 1 });
  const jobs = Promise.allSettled([pool.run(job, 'known'), pool.run(job, 'known')]);
  await pool.close();
  const [, waiting] = await jobs;
  expect(waiting).toMatchObject({ status: 'rejected', reason: { message: 'the hash pool was closed' } });
});
