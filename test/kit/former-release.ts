import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const MIGRATIONS = 'libs/database/src/migrations';
/** Before there is a tag: commits with migrations that an update from what stands in for a release brings. */
const MIGRATING_COMMITS = 10;

/**
 * Returns the commit of the release before this one: `FORMER_RELEASE`, or the last tag of a version, or, before there is
 * one, the commit before the last ten that brought migrations.
 *
 * @throws Error when the repository does not have its history.
 */
export async function formerRelease(): Promise<string> {
  const { FORMER_RELEASE } = process.env;
  if (FORMER_RELEASE !== undefined) return FORMER_RELEASE;
  if ((await git('rev-parse', '--is-shallow-repository')) === 'true') {
    throw new Error('The former release is not here: this clone is shallow. Run git fetch --unshallow --tags.');
  }
  // From the commit before: this one may be a release itself.
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^').catch(() => null);
  if (tag !== null) return tag;
  const log = ['log', '--diff-filter=A', '--format=%H', `--max-count=${MIGRATING_COMMITS}`, '--', MIGRATIONS];
  const oldest = (await git(...log)).split('\n').at(-1);
  return git('rev-parse', `${oldest}^`);
}

const git = async (...args: string[]): Promise<string> => (await run('git', args, { cwd: ROOT })).stdout.trim();
