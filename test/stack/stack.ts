/** The deployment of docker-compose.yml on this machine, without Docker. */
import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readCompose, type ComposeService } from './compose.ts';
import { checkOf, commandOf } from './images.ts';
import { Places, type Instance } from './places.ts';
import { withBrokers } from './scale.ts';
import { ServerProcess } from './server-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const PATIENCE = 60_000;

export interface StackOptions {
  /** Services to start, with what they depend on; all of them unless given. */
  only?: readonly string[];
  kafkaBrokers?: number;
  /** Processes of a service; one unless given. */
  scale?: Readonly<Record<string, number>>;
  /** Folder of all data, kept at the end; a temporary one unless given. */
  data?: string;
  /** Added to every port, so that several stacks can run. */
  portOffset?: number;
  /** Settings beside those of the file, for all of our services. */
  env?: Readonly<Record<string, string>>;
  /** Told what a process prints. */
  onOutput?: (name: string, text: string) => void;
  /** Told what is being done. */
  onProgress?: (line: string) => void;
}

export class Stack {
  readonly places: Places;
  private readonly options: StackOptions;
  private readonly services: ReadonlyMap<string, ComposeService>;
  private readonly isTemporary: boolean;
  private readonly starting = new Map<string, Promise<void>>();
  private readonly processes = new Map<string, ServerProcess[]>();
  /** Names in the order of their start. */
  private readonly started: string[] = [];
  private isStopping = false;

  private constructor(options: StackOptions, services: ReadonlyMap<string, ComposeService>, data: string) {
    this.options = options;
    this.services = services;
    this.isTemporary = options.data === undefined;
    this.places = new Places({ data, portOffset: options.portOffset ?? 0, root: ROOT });
  }

  /** Resolves when all of it is healthy. @throws Error that names what is not, with the last of its log. */
  static async start(options: StackOptions = {}): Promise<Stack> {
    const file = await readFile(join(ROOT, 'docker-compose.yml'), 'utf8');
    const services = withBrokers(readCompose(file), options.kafkaBrokers ?? 1);
    for (const name of [...(options.only ?? []), ...Object.keys(options.scale ?? {})]) {
      if (!services.has(name)) throw new Error(`docker-compose.yml has no service ${name}`);
    }
    const data = options.data ?? (await mkdtemp(join(tmpdir(), 'agent-traffic-stack-')));
    await mkdir(data, { recursive: true });
    // PostgreSQL runs as another user, who has to pass through; the secrets in it are closed themselves.
    await chmod(data, 0o711);
    const stack = new Stack(options, services, data);
    try {
      await Promise.all((options.only ?? [...services.keys()]).map((name) => stack.ensure(name)));
    } catch (error) {
      await stack.stop();
      throw error;
    }
    return stack;
  }

  has(name: string): boolean {
    return this.processes.has(name);
  }

  /** The processes of a service. */
  service(name: string): readonly ServerProcess[] {
    const processes = this.processes.get(name);
    if (processes === undefined) throw new Error(`the stack does not run ${name}`);
    return processes;
  }

  /** http address of a service's first process. */
  url(name: string): string {
    return `http://127.0.0.1:${this.service(name)[0]!.port}`;
  }

  async databaseUrl(): Promise<string> {
    const password = await this.secret('database-password');
    return `postgres://agent_traffic:${password}@127.0.0.1:${this.service('postgres')[0]!.port}/agent_traffic`;
  }

  get kafkaBrokers(): string[] {
    const names = [...this.processes.keys()].filter((name) => /^kafka(-\d)?$/.test(name));
    return names.toSorted().map((name) => `127.0.0.1:${this.service(name)[0]!.port}`);
  }

  /** A secret that the deployment made for itself, e.g. `access-token`. */
  async secret(name: string): Promise<string> {
    return (await readFile(join(this.places.options.data, 'secrets', name), 'utf8')).trim();
  }

  /** Ends everything, the last started first; a temporary data folder is removed. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.allSettled(this.starting.values());
    for (const name of this.started.toReversed()) {
      this.options.onProgress?.(`stopping ${name}`);
      await Promise.all((this.processes.get(name) ?? []).map((process) => process.stop()));
    }
    if (this.isTemporary) await rm(this.places.options.data, { recursive: true, force: true });
  }

  private ensure(name: string): Promise<void> {
    const known = this.starting.get(name);
    if (known !== undefined) return known;
    const starting = this.startService(this.services.get(name)!);
    this.starting.set(name, starting);
    return starting;
  }

  private async startService(service: ComposeService): Promise<void> {
    // A broker is healthy once most are there, so none waits for another.
    const others = service.name.startsWith('kafka-') ? [] : Object.keys(service.dependsOn);
    await Promise.all(others.map((name) => this.ensure(name)));
    if (this.isStopping) throw new Error('the stack is stopping');
    const since = performance.now();
    this.started.push(service.name);
    if (service.restart) await this.startProcesses(service);
    else await this.runStep(service);
    const seconds = ((performance.now() - since) / 1_000).toFixed(1);
    this.options.onProgress?.(`${service.restart ? 'started' : 'done'}: ${service.name} (${seconds} s)`);
  }

  private async startProcesses(service: ComposeService): Promise<void> {
    const count = this.options.scale?.[service.name] ?? 1;
    const [, base, broker] = /^(.*?)(?:-(\d))?$/.exec(service.name)!;
    const processes = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const instance: Instance = { service: base!, number: broker === undefined ? index + 1 : Number(broker) };
        return this.processOf(service, instance, count === 1 ? service.name : `${service.name}-${index + 1}`);
      }),
    );
    this.processes.set(service.name, processes);
    await Promise.all(
      processes.map((process) =>
        process.start().catch((error: Error) => {
          throw new Error(`${service.name} does not start: ${error.message}`, { cause: error });
        }),
      ),
    );
  }

  private async processOf(service: ComposeService, instance: Instance, name: string): Promise<ServerProcess> {
    const command = await commandOf(service, instance, this.places);
    const env = service.isOurs ? { ...command.env, ...this.options.env } : command.env;
    return new ServerProcess({
      ...command,
      env,
      port: this.places.mainPort(instance),
      patience: PATIENCE,
      restart: true,
      stopPatience: service.stopGracePeriod * 1_000,
      isReady: await this.healthOf(service, instance, env),
      onOutput: (text) => this.options.onOutput?.(name, text),
    });
  }

  private async healthOf(
    service: ComposeService,
    instance: Instance,
    env: Record<string, string>,
  ): Promise<() => Promise<boolean>> {
    if (service.healthcheck === null) throw new Error(`docker-compose.yml: ${service.name} has no health check`);
    const words = service.healthcheck.test.map((word) => this.places.rewrite(word, instance, service.volumes));
    const [command, args] = await checkOf(words);
    return () =>
      promisify(execFile)(command, args, {
        cwd: ROOT,
        env: { ...env, PATH: process.env['PATH'] },
        timeout: 15_000,
      }).then(
        () => true,
        () => false,
      );
  }

  /** Something that ends by itself, well. */
  private async runStep(service: ComposeService): Promise<void> {
    const { command, args, env, cwd } = await commandOf(service, { service: service.name, number: 1 }, this.places);
    const child = spawn(command, args, {
      env: { ...env, PATH: process.env['PATH'] },
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        this.options.onOutput?.(service.name, chunk.toString());
      });
    }
    const code = await new Promise((resolve) => child.once('exit', resolve));
    if (code !== 0) throw new Error(`${service.name} failed with ${String(code)}:\n${output}`);
  }
}
