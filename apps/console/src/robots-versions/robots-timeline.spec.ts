import { CACHED_COPY_MS, determineChange, type RobotsContent } from './robots-timeline.js';

const createFile = (digest: string): RobotsContent => ({ status: 200, digest });
const createFailure = (status: number | null): RobotsContent => ({ status, digest: null });
const [MINUTE_MS, DAY_MS] = [60_000, CACHED_COPY_MS];

it.each<[string, RobotsContent | null, RobotsContent | null, number | null, string]>([
  ['a first file', null, createFile('a'), null, 'replaced'],
  ['a first failure', null, createFailure(503), null, 'replaced'],
  ['an inconclusive response without an earlier version', null, null, null, 'none'],
  ['the same file', createFile('a'), createFile('a'), MINUTE_MS, 'none'],
  ['another file', createFile('a'), createFile('b'), MINUTE_MS, 'replaced'],
  ['a missing file after a file', createFile('a'), createFailure(404), MINUTE_MS, 'replaced'],
  ['another 4xx status', createFailure(404), createFailure(410), MINUTE_MS, 'none'],
  ['too many redirects after a 4xx status', createFailure(404), createFailure(302), MINUTE_MS, 'none'],
  ['a failure within 24 hours (RFC 9309, section 2.4)', createFile('a'), createFailure(500), DAY_MS - 1, 'none'],
  ['a failure after 24 hours', createFile('a'), createFailure(500), DAY_MS, 'replaced'],
  ['no response within 24 hours', createFailure(404), createFailure(null), DAY_MS - 1, 'none'],
  ['no response after 24 hours', createFailure(404), createFailure(null), DAY_MS, 'replaced'],
  ['no response after a failure', createFailure(500), createFailure(null), DAY_MS, 'none'],
  ['a file after a failure', createFailure(500), createFile('a'), DAY_MS, 'replaced'],
  ['an inconclusive response within 24 hours', createFile('a'), null, DAY_MS - 1, 'none'],
  ['an inconclusive response after 24 hours', createFile('a'), null, DAY_MS, 'ends'],
])('determines the change to the timeline for %s', (_, current, found, sinceConfirmed, change) => {
  expect(determineChange(found, current && { ...current, isOnlyRecorded: false }, sinceConfirmed)).toBe(change);
});

it.each([
  [createFailure(500), 'none'],
  [createFailure(null), 'none'],
  [createFailure(403), 'none'],
  [null, 'none'],
  [createFile('a'), 'none'],
  [createFile('b'), 'replaced'],
])('replaces a manually recorded version only if another file is found (%j)', (found, change) => {
  expect(determineChange(found, { ...createFile('a'), isOnlyRecorded: true }, null)).toBe(change);
});
