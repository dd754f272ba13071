import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Page, Route } from '@playwright/test';

const ROOT = join(import.meta.dirname, '../..');
const NOT_DASHBOARD = /^\/(?:api|docs|visits)(?:[/?]|$)/;
const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const run = promisify(execFile);

/** Dashboard of an earlier commit, served to the browser instead of the current one. */
export class DashboardBuild {
  private readonly handler = (route: Route): Promise<void> => this.answer(route);

  private constructor(private readonly folder: string) {}

  /**
   * Builds the dashboard of a commit.
   *
   * @param commit Commit, or `1` for the newest one that is at least a day old.
   * @returns Null if that commit doesn't exist, such as in a shallow clone.
   */
  static async create(commit: string): Promise<DashboardBuild | null> {
    const git = async (...args: string[]): Promise<string> => (await run('git', args, { cwd: ROOT })).stdout.trim();
    const selection = commit === '1' ? ['--before=24 hours ago', 'HEAD'] : [commit];
    const hash = await git('rev-list', '-1', ...selection).catch(() => '');
    if (hash === '') return null;
    const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-dashboard-'));
    await git('worktree', 'add', '--detach', join(folder, 'source'), hash);
    try {
      await symlink(join(ROOT, 'node_modules'), join(folder, 'source/node_modules'));
      const options = ['--outDir', join(folder, 'web'), '--logLevel', 'warn'];
      await run(join(ROOT, 'node_modules/.bin/vite'), ['build', 'apps/web', ...options], {
        cwd: join(folder, 'source'),
      });
    } finally {
      await git('worktree', 'remove', '--force', join(folder, 'source'));
    }
    return new DashboardBuild(folder);
  }

  async dispose(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Answers requests for the dashboard at `url` with this build. */
  async serve(page: Page, url: string): Promise<void> {
    await page.route(`${url}/**`, this.handler);
  }

  async stopServing(page: Page, url: string): Promise<void> {
    await page.unroute(`${url}/**`, this.handler);
  }

  private async answer(route: Route): Promise<void> {
    const { pathname, origin } = new URL(route.request().url());
    if (NOT_DASHBOARD.test(pathname)) return route.fallback();
    const file = join(this.folder, 'web', pathname);
    if (extname(pathname) !== '' && existsSync(file)) {
      const contentType = CONTENT_TYPES[extname(pathname)] ?? 'application/octet-stream';
      return route.fulfill({ body: await readFile(file), contentType });
    }
    const page = await readFile(join(this.folder, 'web/index.html'), 'utf8');
    return route.fulfill({ body: page.replaceAll('PUBLIC_URL', `${origin}/`), contentType: 'text/html' });
  }
}
