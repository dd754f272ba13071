import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const MIGRATIONS = 'libs/database/src/migrations';
/** Files of the baseline migration, which may change until the first release. */
const BASELINE_PATHS = [`${MIGRATIONS}/*-baseline.ts`, `${MIGRATIONS}/baseline`];
/** Number of migration commits that an update test covers if there is no version tag. */
const MAX_MIGRATION_COMMITS = 10;

/**
 * Returns the commit of the previous release: `FORMER_RELEASE` or the latest version tag. Without a tag, returns the
 * commit before the last ten commits that added a migration. Never returns a commit before the last change to the
 * baseline, because databases from before that can't be updated.
 *
 * @throws {Error} if the clone is shallow
 */
export async function findPreviousRelease(): Promise<string> {
  const { FORMER_RELEASE } = process.env;
  if (FORMER_RELEASE !== undefined) return FORMER_RELEASE;
  if ((await git('rev-parse', '--is-shallow-repository')) === 'true') {
    throw new Error(
      'This clone is shallow, so the previous release cannot be determined. Run git fetch --unshallow --tags.',
    );
  }
  // Search from the parent commit, because HEAD itself may be a release.
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^').catch(() => null);
  if (tag !== null) return tag;
  const baselineCommit = await git('log', '--max-count=1', '--format=%H', '--', ...BASELINE_PATHS);
  const logOptions = ['--diff-filter=A', `--max-count=${MAX_MIGRATION_COMMITS}`, '--format=%H'];
  const migrationCommits = await git('log', ...logOptions, `${baselineCommit}..HEAD`, '--', MIGRATIONS);
  return migrationCommits === '' ? baselineCommit : git('rev-parse', `${migrationCommits.split('\n').at(-1)}^`);
}

const git = async (...args: string[]): Promise<string> => (await run('git', args, { cwd: ROOT })).stdout.trim();
