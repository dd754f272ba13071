import { CACHED_COPY_MS, changeBy, type RobotsContent } from './robots-timeline.js';

const file = (digest: string): RobotsContent => ({ status: 200, digest });
const answered = (status: number | null): RobotsContent => ({ status, digest: null });
const [MINUTE, DAY] = [60_000, CACHED_COPY_MS];

it.each<[string, RobotsContent | null, RobotsContent | null, number | null, string]>([
  ['a first file', null, file('a'), null, 'replaced'],
  ['a first failure', null, answered(503), null, 'replaced'],
  ['nothing, and nothing before', null, null, null, 'none'],
  ['the same file', file('a'), file('a'), MINUTE, 'none'],
  ['another file', file('a'), file('b'), MINUTE, 'replaced'],
  ['none any more', file('a'), answered(404), MINUTE, 'replaced'],
  ['another 4xx', answered(404), answered(410), MINUTE, 'none'],
  ['too many redirects after a 4xx', answered(404), answered(302), MINUTE, 'none'],
  ['a failure, within 24 hours (RFC 9309 section 2.4)', file('a'), answered(500), DAY - 1, 'none'],
  ['a failure, after 24 hours', file('a'), answered(500), DAY, 'replaced'],
  ['no answer, within 24 hours', answered(404), answered(null), DAY - 1, 'none'],
  ['no answer, after 24 hours', answered(404), answered(null), DAY, 'replaced'],
  ['no answer after a failure', answered(500), answered(null), DAY, 'none'],
  ['a file after a failure', answered(500), file('a'), DAY, 'replaced'],
  ['what says nothing, within 24 hours', file('a'), null, DAY - 1, 'none'],
  ['what says nothing, after 24 hours', file('a'), null, DAY, 'ends'],
])('%s', (_, current, found, sinceConfirmed, change) => {
  expect(changeBy(found, current && { ...current, isOnlyRecorded: false }, sinceConfirmed)).toBe(change);
});

it.each([
  [answered(500), 'none'],
  [answered(null), 'none'],
  [answered(403), 'none'],
  [null, 'none'],
  [file('a'), 'none'],
  [file('b'), 'replaced'],
])('replaces a version that was only recorded if another file is found: %j', (found, change) => {
  expect(changeBy(found, { ...file('a'), isOnlyRecorded: true }, null)).toBe(change);
});
