import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const MIGRATIONS = 'libs/database/src/migrations';
/** The first migration may change until the first release. */
const BASELINE = [`${MIGRATIONS}/*-baseline.ts`, `${MIGRATIONS}/baseline`];
/** Number of commits with a new migration that an update covers if there is no tag. */
const MIGRATING_COMMITS = 10;

/**
 * Returns the commit of the previous release: `FORMER_RELEASE`, or the latest version tag. Without a tag, it's the
 * commit before the last ten that added a migration. It never goes back beyond the last change to the baseline, because
 * older databases can't be updated.
 *
 * @throws Error in a shallow clone.
 */
export async function formerRelease(): Promise<string> {
  const { FORMER_RELEASE } = process.env;
  if (FORMER_RELEASE !== undefined) return FORMER_RELEASE;
  if ((await git('rev-parse', '--is-shallow-repository')) === 'true') {
    throw new Error('This clone is shallow, so the former release is unavailable. Run git fetch --unshallow --tags.');
  }
  // Starts at the parent, because HEAD may be a release itself.
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^').catch(() => null);
  if (tag !== null) return tag;
  const first = await git('log', '--max-count=1', '--format=%H', '--', ...BASELINE);
  const added = ['--diff-filter=A', `--max-count=${MIGRATING_COMMITS}`, '--format=%H'];
  const migrating = await git('log', ...added, `${first}..HEAD`, '--', MIGRATIONS);
  return migrating === '' ? first : git('rev-parse', `${migrating.split('\n').at(-1)}^`);
}

const git = async (...args: string[]): Promise<string> => (await run('git', args, { cwd: ROOT })).stdout.trim();
