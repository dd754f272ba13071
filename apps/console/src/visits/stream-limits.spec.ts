import { ProblemError } from '#libs/platform';
import type { Principal } from '../access/principal.js';
import { StreamLimits } from './stream-limits.js';

const key = (keyId: string): Principal => ({
  keyId,
  makerId: null,
  expiresAt: null,
  user: null,
  scopes: ['read'],
  admin: true,
  projectIds: [],
  roles: new Map(),
});

function refusal(work: () => unknown): ProblemError | null {
  try {
    work();
    return null;
  } catch (error) {
    return error as ProblemError;
  }
}

it.each([
  ['of a key', { MAX_STREAMS_PER_KEY: 2 }, () => key('one'), () => 'shop', 'this API key has 2 live streams open'],
  [
    'of a project',
    { MAX_STREAMS_PER_PROJECT: 2 },
    (n: number) => key(`${n}`),
    () => 'shop',
    'the project has 2 live streams open',
  ],
  [
    'of all',
    { MAX_STREAMS: 2 },
    (n: number) => key(`${n}`),
    (n: number) => `shop ${n}`,
    'this instance has 2 live streams open',
  ],
])('limits the streams %s, and frees the slots of ended ones', (_, limit, principal, project, fault) => {
  const limits = new StreamLimits({ MAX_STREAMS_PER_KEY: 9, MAX_STREAMS_PER_PROJECT: 9, MAX_STREAMS: 9, ...limit });
  const open = (number: number) => limits.acquire(principal(number), project(number));
  const first = open(1);
  open(2);
  const refused = refusal(() => open(3));
  expect(refused).toMatchObject({ statusCode: 429, headers: { 'retry-after': '30' } });
  expect(refused!.message).toContain(fault);
  first();
  first();
  expect(refusal(() => open(3))).toBeNull();
  expect(refusal(() => open(4))).not.toBeNull();
  expect(limits.size).toBe(2);
});
