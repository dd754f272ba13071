import { ProblemError } from '#libs/platform';
import type { Principal } from '../access/principal.js';
import { StreamLimits } from './stream-limits.js';

const createKeyPrincipal = (keyId: string): Principal => ({
  keyId,
  makerId: null,
  expiresAt: null,
  user: null,
  scopes: ['read'],
  admin: true,
  projectIds: [],
  roles: new Map(),
});

function catchProblem(work: () => unknown): ProblemError | null {
  try {
    work();
    return null;
  } catch (error) {
    return error as ProblemError;
  }
}

it.each([
  [
    'API key',
    { MAX_STREAMS_PER_KEY: 2 },
    () => createKeyPrincipal('one'),
    () => 'shop',
    'this API key has 2 live streams open',
  ],
  [
    'project',
    { MAX_STREAMS_PER_PROJECT: 2 },
    (n: number) => createKeyPrincipal(`${n}`),
    () => 'shop',
    'the project has 2 live streams open',
  ],
  [
    'instance',
    { MAX_STREAMS: 2 },
    (n: number) => createKeyPrincipal(`${n}`),
    (n: number) => `shop ${n}`,
    'this instance has 2 live streams open',
  ],
])('limits streams per %s and frees the slots of ended streams', (_, limit, principal, project, message) => {
  const limits = new StreamLimits({ MAX_STREAMS_PER_KEY: 9, MAX_STREAMS_PER_PROJECT: 9, MAX_STREAMS: 9, ...limit });
  const open = (number: number) => limits.acquire(principal(number), project(number));
  const first = open(1);
  open(2);
  const rejected = catchProblem(() => open(3));
  expect(rejected).toMatchObject({ statusCode: 429, headers: { 'retry-after': '30' } });
  expect(rejected!.message).toContain(message);
  first();
  first();
  expect(catchProblem(() => open(3))).toBeNull();
  expect(catchProblem(() => open(4))).not.toBeNull();
  expect(limits.size).toBe(2);
});
