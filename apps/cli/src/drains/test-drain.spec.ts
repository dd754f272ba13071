import { createHmac } from 'node:crypto';
import { getDrainSender } from '#libs/drains';
import { sampleRequests } from './drain-samples.js';
import { formatDrainTest } from './test-drain.js';

const NOW = new Date('2026-11-24T10:00:00Z');

it('explains how the test lines were counted', () => {
  const receipt = { lines: 3, visits: 1, static_files: 1, left_out: 0, unreadable: 1 };
  expect(formatDrainTest({ name: 'lines', receipt })).toBe(
    'Accepted: lines. Of 3 lines: 1 recorded, 1 ignored (static files), 1 unreadable.',
  );
  const none = { lines: 0, visits: 0, static_files: 0, left_out: 0, unreadable: 0 };
  expect(formatDrainTest({ name: 'test upload', receipt: none })).toContain('connected');
  expect(formatDrainTest({ name: 'records', receipt: { requestId: 'a', timestamp: 1 } })).toContain('drains list');
});

it('signs requests the way Vercel does if a secret is given', async () => {
  const [request] = await sampleRequests(getDrainSender('vercel'), { token: 't', now: NOW, secret: 'secret' });
  const { body, headers } = request!;
  expect(headers['x-vercel-signature']).toBe(createHmac('sha1', 'secret').update(body).digest('hex'));
  const [unsigned] = await sampleRequests(getDrainSender('vercel'), { token: 't', now: NOW });
  expect(unsigned!.headers).not.toHaveProperty('x-vercel-signature');
});
