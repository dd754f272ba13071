/**
 * podman as a replacement for Docker: its socket, Compose, and health checks, which podman only schedules with systemd.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { goTools } from '../stack/go.ts';

const execute = promisify(execFile);
export const ROOT = join(import.meta.dirname, '../..');
/** More frequent checks would mark a starting container as unhealthy for good. */
const HEALTH_INTERVAL_MS = 4_000;

export const run = (command: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
  execute(command, args, { maxBuffer: 2 ** 28, ...options });

/** Runs podman with runc, because crun rejects machines with both cgroup versions. @returns stdout. */
export async function podman(...args: string[]): Promise<string> {
  const { stdout } = await run('podman', ['--runtime', 'runc', ...args]);
  return stdout.trim();
}

const FILES = ['-f', join(ROOT, 'docker-compose.yml'), '-f', join(import.meta.dirname, 'podman.yml')];

/** docker-compose.yml, run by Compose on podman's socket. */
export class ComposeProject {
  private readonly service: ChildProcess;
  private readonly folder: string;
  private readonly command: string;
  private isChecking = true;

  private constructor(folder: string, command: string) {
    this.folder = folder;
    this.command = command;
    const options = ['--runtime', 'runc', 'system', 'service', '--time', '0', `unix://${this.socket}`];
    this.service = spawn('podman', options, { stdio: 'ignore' });
    void this.checkHealth();
  }

  static async open(): Promise<ComposeProject> {
    const tools = await goTools(join(import.meta.dirname, 'tools'), {
      'docker-compose': 'github.com/docker/compose/v2/cmd',
    });
    return new ComposeProject(await mkdtemp(join(tmpdir(), 'agent-traffic-podman-')), join(tools, 'docker-compose'));
  }

  private get socket(): string {
    return join(this.folder, 'podman.sock');
  }

  /** @returns stdout. @throws with Compose's error message. */
  async compose(...args: string[]): Promise<string> {
    const { stdout } = await run(this.command, [...FILES, ...args], { env: this.environment });
    return stdout;
  }

  /** Runs `docker compose` commands in a shell, as a user would type them. @returns stdout. */
  async shell(commands: readonly string[]): Promise<string> {
    const docker = `docker() { shift; "$0" ${FILES.map((each) => `'${each}'`).join(' ')} "$@"; }`;
    const script = [docker, ...commands].join('\n');
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script, this.command], {
      env: this.environment,
    });
    return stdout;
  }

  private get environment(): NodeJS.ProcessEnv {
    return { ...process.env, DOCKER_HOST: `unix://${this.socket}` };
  }

  /** Starts all services that aren't running, and waits until all are healthy. */
  async up(): Promise<void> {
    await this.compose('up', '--detach', '--no-build', '--pull', 'never', '--wait', '--wait-timeout', '300');
  }

  async containers(): Promise<string[]> {
    const names = await podman(
      'ps',
      '--filter',
      'label=com.docker.compose.project=agent-traffic',
      '--format',
      '{{.Names}}',
    );
    return names.split('\n').filter((name) => name !== '');
  }

  /** Memory used by a service's container in megabytes, without the reclaimable file cache. */
  async memory(service: string): Promise<number> {
    const container = (await this.containers()).find((name) => name.endsWith(`-${service}-1`));
    // Covers both cgroup versions.
    const read =
      'cd /sys/fs/cgroup/memory 2>&- || cd /sys/fs/cgroup; cat memory.usage_in_bytes memory.current memory.stat 2>&-';
    const text = await podman('exec', container!, 'sh', '-c', `${read} || true`);
    const [total, files] = [/^\d+/.exec(text)?.[0], /^(?:total_cache|file) (\d+)$/m.exec(text)?.[1]];
    if (total === undefined || files === undefined) throw new Error(`what ${service} takes cannot be read:\n${text}`);
    return (Number(total) - Number(files)) / 1e6;
  }

  async secret(service: string, name: string): Promise<string> {
    const volume = `agent-traffic_${service}-secrets:/run/secrets:ro`;
    return podman(
      'run',
      '--rm',
      '--network',
      'none',
      '--volume',
      volume,
      'agent-traffic',
      'cat',
      `/run/secrets/${name}`,
    );
  }

  async close(): Promise<void> {
    this.isChecking = false;
    this.service.kill('SIGTERM');
    await rm(this.folder, { recursive: true, force: true });
  }

  private async checkHealth(): Promise<void> {
    while (this.isChecking) {
      await sleep(HEALTH_INTERVAL_MS);
      const names = await this.containers().catch(() => []);
      for (const name of names) if (this.isChecking) await podman('healthcheck', 'run', name).catch(() => undefined);
    }
  }
}

const CONFIGURATION = '/etc/containers/containers.conf';

/**
 * Lowers podman's default limits for open files and processes, which this machine may reject. Existing configuration is
 * kept.
 */
export async function configurePodman(): Promise<void> {
  const own = await readFile(CONFIGURATION, 'utf8').catch(() => null);
  if (own !== null) return;
  await mkdir('/etc/containers', { recursive: true });
  await writeFile(CONFIGURATION, '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n');
}
