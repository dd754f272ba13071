import { ServerProcess } from '../stack/server-process.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const IS_ROOT = process.geteuid?.() === 0;
/** Without root, mounting requires a separate user namespace. */
const OWN_USERS = IS_ROOT ? [] : ['--user', '--map-current-user', '--keep-caps'];
const SAME_USERS = IS_ROOT ? [] : ['--user', '--preserve-credentials'];

/**
 * In-memory file system of limited size for a folder, which tests can fill up. Only the server that runs in it can see
 * it. It disappears with the process that holds it.
 */
export class SmallDisk {
  private constructor(
    private readonly folder: string,
    private readonly holder: ServerProcess,
  ) {}

  /** Puts a stopped server's folder on a disk of that many MiB. Takes effect when the server starts. */
  static async under(server: ServerProcess, folder: string, mebibytes: number): Promise<SmallDisk> {
    const script = `set -e
      mkdir -p "$0.disk"
      mount -t tmpfs -o size=${mebibytes}m,mode=0755 disk "$0.disk"
      cp -a "$0/." "$0.disk"
      mount --bind "$0.disk" "$0"
      echo mounted
      exec sleep infinity`;
    const holder: ServerProcess = new ServerProcess({
      command: 'unshare',
      args: ['--mount', '--propagation', 'private', ...OWN_USERS, '--', 'sh', '-c', script, folder],
      isReady: async () => holder.output.includes('mounted'),
    });
    await holder.start();
    const disk = new SmallDisk(folder, holder);
    const { command, args, user } = server.command;
    const asUser =
      user === undefined ? [] : ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--'];
    server.change({ command: 'nsenter', args: [...disk.entrance, ...asUser, command, ...args], user: undefined });
    return disk;
  }

  private get entrance(): string[] {
    return ['--mount', ...SAME_USERS, '--target', String(this.holder.pid), '--'];
  }

  /** Fills up all remaining space. */
  async fill(): Promise<void> {
    const script = 'dd if=/dev/zero of="$0/ballast" bs=4k 2>/dev/null; df --output=avail "$0" | tail -1';
    const left = (await this.run(script)).trim();
    if (left !== '0') throw new Error(`the disk still has ${left} KiB`);
  }

  async free(): Promise<void> {
    await this.run('rm "$0/ballast"');
  }

  async dispose(): Promise<void> {
    await this.holder.stop();
  }

  private async run(script: string): Promise<string> {
    return (await run('nsenter', [...this.entrance, 'sh', '-c', script, this.folder], { cwd: '/' })).stdout;
  }
}
