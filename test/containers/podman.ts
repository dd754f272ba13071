/**
 * Uses podman instead of Docker. Runs its socket, Compose, and health checks. Podman itself needs systemd to schedule
 * health checks.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { buildGoTools } from '../stack/go-modules.ts';

const execute = promisify(execFile);
export const ROOT = join(import.meta.dirname, '../..');
/** If checks were more frequent, a container that is still starting would be marked as unhealthy permanently. */
const HEALTH_INTERVAL_MS = 4_000;

export const run = (command: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
  execute(command, args, { maxBuffer: 2 ** 28, ...options });

/** Runs podman with runc, because crun rejects machines that have both cgroup versions. @returns stdout */
export async function podman(...args: string[]): Promise<string> {
  const { stdout } = await run('podman', ['--runtime', 'runc', ...args]);
  return stdout.trim();
}

const COMPOSE_FILES = ['-f', join(ROOT, 'docker-compose.yml'), '-f', join(import.meta.dirname, 'podman.yml')];

/** The docker-compose.yml project, run by Compose on podman's socket. */
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
    const tools = await buildGoTools(join(import.meta.dirname, 'tools'), {
      'docker-compose': 'github.com/docker/compose/v2/cmd',
    });
    return new ComposeProject(await mkdtemp(join(tmpdir(), 'agent-traffic-podman-')), join(tools, 'docker-compose'));
  }

  private get socket(): string {
    return join(this.folder, 'podman.sock');
  }

  /**
   * @returns stdout
   * @throws {Error} with Compose's error message if the command fails
   */
  async compose(...args: string[]): Promise<string> {
    const { stdout } = await run(this.command, [...COMPOSE_FILES, ...args], { env: this.environment });
    return stdout;
  }

  /** Runs `docker compose` commands in a shell, as a user would. @returns stdout */
  async shell(commands: readonly string[]): Promise<string> {
    const docker = `docker() { shift; "$0" ${COMPOSE_FILES.map((file) => `'${file}'`).join(' ')} "$@"; }`;
    const script = [docker, ...commands].join('\n');
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script, this.command], {
      env: this.environment,
    });
    return stdout;
  }

  private get environment(): NodeJS.ProcessEnv {
    return { ...process.env, DOCKER_HOST: `unix://${this.socket}` };
  }

  /** Starts all services that aren't running and waits until all are healthy. */
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

  /** Returns the memory used by a service's container in megabytes, excluding reclaimable file cache. */
  async memory(service: string): Promise<number> {
    const container = (await this.containers()).find((name) => name.endsWith(`-${service}-1`));
    // This command works with both cgroup versions.
    const read =
      'cd /sys/fs/cgroup/memory 2>&- || cd /sys/fs/cgroup; cat memory.usage_in_bytes memory.current memory.stat 2>&-';
    const text = await podman('exec', container!, 'sh', '-c', `${read} || true`);
    const [total, files] = [/^\d+/.exec(text)?.[0], /^(?:total_cache|file) (\d+)$/m.exec(text)?.[1]];
    if (total === undefined || files === undefined)
      throw new Error(`Couldn't read the memory usage of ${service}:\n${text}`);
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

const CONFIGURATION_PATH = '/etc/containers/containers.conf';

/**
 * Lowers podman's default limits for open files and processes, because this machine may reject them. Doesn't change
 * existing configuration.
 */
export async function configurePodman(): Promise<void> {
  const existing = await readFile(CONFIGURATION_PATH, 'utf8').catch(() => null);
  if (existing !== null) return;
  await mkdir('/etc/containers', { recursive: true });
  await writeFile(CONFIGURATION_PATH, '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n');
}
