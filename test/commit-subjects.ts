/**
 * Checks the subjects of the latest commits since the last release, 50 at most. Usage: `node test/commit-subjects.ts`
 */
import { execFileSync } from 'node:child_process';

const MAX_COMMITS = 50;
const MAX_LENGTH = 72;
/** Verbs that hide what changed. */
const VAGUE_VERBS =
  /^(?:Ask|Bring|Call|Count|End|Give|Go|Hand|Have|Hold|Keep|Know|Lead|Leave|Let|Look|Make|Name|Need|Put|Read|Say|Show|Take|Tell|Wait|Want)\b/;

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

const release = git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-creatordate').split('\n')[0]!;
const range = release === '' ? 'HEAD' : `${release}..HEAD`;
const commits = git('log', `--max-count=${MAX_COMMITS}`, '--format=%h %s', range);

for (const commit of commits.split('\n').filter((line) => line !== '')) {
  const subject = commit.slice(commit.indexOf(' ') + 1);
  const faults = [
    VAGUE_VERBS.test(subject) && 'start with a precise verb such as Add, Fix, Remove, or Rename',
    !/^[A-Z][a-z]+ /.test(subject) && 'start with a capitalized verb',
    subject.length > MAX_LENGTH && `use at most ${MAX_LENGTH} characters (got ${subject.length})`,
    subject.endsWith('.') && 'remove the period at the end',
  ].filter((fault) => fault !== false);
  if (faults.length === 0) continue;
  console.error(`${commit}: ${faults.join('; ')}`);
  process.exitCode = 1;
}
