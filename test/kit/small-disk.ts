import { ServerProcess } from '../stack/server-process.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const IS_ROOT = process.geteuid?.() === 0;
/** Without root, mounting requires a separate user namespace. */
const NEW_USER_NAMESPACE_ARGS = IS_ROOT ? [] : ['--user', '--map-current-user', '--keep-caps'];
const KEEP_CREDENTIALS_ARGS = IS_ROOT ? [] : ['--user', '--preserve-credentials'];

/**
 * Puts a folder on an in-memory file system of limited size that tests can fill up. Only the server that uses the
 * folder can see the file system. It disappears when its holder process exits.
 */
export class SmallDisk {
  private constructor(
    private readonly folder: string,
    private readonly holder: ServerProcess,
  ) {}

  /** Moves a stopped server's folder to a disk of the given size. Takes effect when the server starts. */
  static async mount(server: ServerProcess, folder: string, sizeMib: number): Promise<SmallDisk> {
    const script = `set -e
      mkdir -p "$0.disk"
      mount -t tmpfs -o size=${sizeMib}m,mode=0755 disk "$0.disk"
      cp -a "$0/." "$0.disk"
      mount --bind "$0.disk" "$0"
      echo mounted
      exec sleep infinity`;
    const holder: ServerProcess = new ServerProcess({
      command: 'unshare',
      args: ['--mount', '--propagation', 'private', ...NEW_USER_NAMESPACE_ARGS, '--', 'sh', '-c', script, folder],
      isReady: async () => holder.output.includes('mounted'),
    });
    await holder.start();
    const disk = new SmallDisk(folder, holder);
    const { command, args, user } = server.command;
    const setprivArgs =
      user === undefined ? [] : ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--'];
    server.configure({
      command: 'nsenter',
      args: [...disk.nsenterArgs, ...setprivArgs, command, ...args],
      user: undefined,
    });
    return disk;
  }

  private get nsenterArgs(): string[] {
    return ['--mount', ...KEEP_CREDENTIALS_ARGS, '--target', String(this.holder.pid), '--'];
  }

  /** Uses up all remaining space. */
  async fill(): Promise<void> {
    const script = 'dd if=/dev/zero of="$0/ballast" bs=4k 2>/dev/null; df --output=avail "$0" | tail -1';
    const freeKib = (await this.run(script)).trim();
    if (freeKib !== '0') throw new Error(`The disk still has ${freeKib} KiB of free space`);
  }

  async free(): Promise<void> {
    await this.run('rm "$0/ballast"');
  }

  async dispose(): Promise<void> {
    await this.holder.stop();
  }

  private async run(script: string): Promise<string> {
    return (await run('nsenter', [...this.nsenterArgs, 'sh', '-c', script, this.folder], { cwd: '/' })).stdout;
  }
}
