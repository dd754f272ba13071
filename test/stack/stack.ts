/** Runs the docker-compose.yml deployment on the host, without Docker. */
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../kit/run-folder.ts';
import { readCompose, type ComposeService } from './compose.ts';
import { createHealthCheck, checkSettings, createCommand } from './images.ts';
import { HostLayout, type Instance } from './host-layout.ts';
import { findFreePortOffset, isPortFree } from './ports.ts';
import { addBrokers } from './kafka-brokers.ts';
import { ServerProcess } from './server-process.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Generous timeout, because all servers start at the same time and the machine may be slow. */
const TIMEOUT_MS = 120_000;

interface KafkaAccess {
  brokers: string[];
  sasl: { mechanism: 'plain'; username: string; password: string };
}

export interface StackOptions {
  /** Folder of the repository to deploy. Default: this repository. */
  root?: string;
  /** Services to start, along with their dependencies. Default: all services. */
  only?: readonly string[];
  kafkaBrokers?: number;
  /** Number of processes per service. Default: 1. */
  scale?: Readonly<Record<string, number>>;
  /** Data folder to keep when the stack stops. By default, the stack uses a temporary folder and deletes it. */
  data?: string;
  /** Offset added to every port, so several stacks can run at once. `free` selects an unused offset. */
  portOffset?: number | 'free';
  /** Environment variables for all our services. They override docker-compose.yml. */
  env?: Readonly<Record<string, string>>;
  /** JVM options for brokers, in addition to those in docker-compose.yml. */
  javaOptions?: readonly string[];
  /** Aborting the signal stops the stack, even during startup. */
  signal?: AbortSignal;
  onOutput?: (name: string, text: string) => void;
  onProgress?: (line: string) => void;
}

export class Stack {
  layout: HostLayout;
  private readonly options: StackOptions;
  private services: ReadonlyMap<string, ComposeService>;
  private readonly isTemporary: boolean;
  private readonly starting = new Map<string, Promise<void>>();
  private readonly processes = new Map<string, ServerProcess[]>();
  /** Service names in start order. */
  private readonly started: string[] = [];
  private stopping: Promise<void> | null = null;

  private constructor(options: StackOptions, services: ReadonlyMap<string, ComposeService>, layout: HostLayout) {
    this.options = options;
    this.services = services;
    this.isTemporary = options.data === undefined;
    this.layout = layout;
  }

  /**
   * Starts a stack and waits until all of its services are healthy.
   *
   * @throws {Error} with the failed service's name and the end of its log
   */
  static async start(options: StackOptions = {}): Promise<Stack> {
    const { root = ROOT, scale = {}, portOffset = 0, signal } = options;
    const services = await readServices(root, options);
    for (const name of [...(options.only ?? []), ...Object.keys(scale)]) {
      if (!services.has(name)) throw new Error(`docker-compose.yml does not contain the service ${name}`);
    }
    for (const name of Object.keys(scale)) {
      if (!services.get(name)!.isOurs) throw new Error(`${name} cannot have replicas`);
    }
    const data = options.data === undefined ? await temporaryFolder() : resolve(options.data);
    await mkdir(data, { recursive: true });
    // PostgreSQL runs as a different user, who must be able to enter the folder. Secrets have their own permissions.
    await chmod(data, 0o711);
    const createLayout = (offset: number) => new HostLayout({ data, portOffset: offset, root, scale });
    const layout = createLayout(
      portOffset === 'free' ? await findFreePortOffset(getPorts([...services.keys()], createLayout(0))) : portOffset,
    );
    const stack = new Stack(options, services, layout);
    const stop = (): void => void stack.stop();
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    try {
      await Promise.all(stack.servicesToStart().map((name) => stack.ensureStarted(name)));
    } catch (error) {
      await stack.stop();
      throw error;
    }
    return stack;
  }

  has(name: string): boolean {
    return this.processes.has(name);
  }

  /**
   * Switches to another build by running its one-time services, including the migration. All other services switch when
   * they're replaced.
   *
   * @throws {Error} if a one-time service fails, in which case the stack continues to use the previous build
   */
  async switchBuild(root: string): Promise<void> {
    const { layout, services } = this;
    try {
      this.layout = new HostLayout({ ...layout.options, root });
      this.services = await readServices(root, this.options);
      for (const service of this.services.values()) if (!service.restart) await this.runOneTimeService(service);
    } catch (error) {
      Object.assign(this, { layout, services });
      throw error;
    }
  }

  /** Restarts a service's processes with the current build, one at a time. */
  async replace(name: string): Promise<void> {
    const service = this.services.get(name)!;
    for (const [index, instance] of this.layout.instances(name).entries()) {
      const process = this.service(name)[index]!;
      await process.stop();
      process.configure(await this.createStartOptions(service, instance));
      await process.start();
    }
  }

  service(name: string): readonly ServerProcess[] {
    const processes = this.processes.get(name);
    if (processes === undefined) throw new Error(`The stack does not run ${name}`);
    return processes;
  }

  /** Returns the URL of a service's first process. */
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

  /** Returns kafkajs options that connect with a service's credentials. */
  async kafkaClient(service = 'migrate'): Promise<KafkaAccess> {
    const password = await this.secret('kafka-password', service);
    return { brokers: this.kafkaBrokers, sasl: { mechanism: 'plain', username: service, password } };
  }

  /**
   * Returns a secret that the deployment generated, such as `access-token`.
   *
   * @param service Service that the secret belongs to. Omit it for instance-wide secrets.
   */
  async secret(name: string, service?: string): Promise<string> {
    const folder = service === undefined ? 'secrets' : `${service}-secrets`;
    return (await readFile(join(this.layout.options.data, folder, name), 'utf8')).trim();
  }

  /** Stops all services in reverse start order, then removes the data folder if it's temporary. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  private async stopAll(): Promise<void> {
    for (const name of this.started.toReversed()) {
      const processes = (this.processes.get(name) ?? []).filter(({ isRunning }) => isRunning);
      if (processes.length > 0) this.options.onProgress?.(`stopping ${name}`);
      await Promise.all((this.processes.get(name) ?? []).map((process) => process.stop()));
    }
    // Wait for pending starts, which fail now that `stopping` is set.
    await Promise.allSettled(this.starting.values());
    if (this.isTemporary) await rm(this.layout.options.data, { recursive: true, force: true });
  }

  /** Returns the names of the services to start. `kafka` includes all brokers. */
  private servicesToStart(): string[] {
    const names = [...this.services.keys()];
    const only = this.options.only ?? names;
    return names.filter((name) => only.includes(name) || (name.startsWith('kafka-') && only.includes('kafka')));
  }

  private ensureStarted(name: string): Promise<void> {
    const pendingStart = this.starting.get(name);
    if (pendingStart !== undefined) return pendingStart;
    const starting = this.startService(this.services.get(name)!);
    this.starting.set(name, starting);
    return starting;
  }

  private async startService(service: ComposeService): Promise<void> {
    await Promise.all(Object.keys(service.dependsOn).map((name) => this.ensureStarted(name)));
    const startedAt = performance.now();
    this.started.push(service.name);
    if (service.restart) await this.startProcesses(service);
    else await this.runOneTimeService(service);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    this.options.onProgress?.(`${service.restart ? 'started' : 'done'}: ${service.name} (${seconds} s)`);
  }

  private async startProcesses(service: ComposeService): Promise<void> {
    const instances = this.layout.instances(service.name);
    const processes = await Promise.all(
      instances.map(async (instance) => {
        for (const port of this.layout.ports(instance)) {
          if (!(await isPortFree(port))) {
            throw new Error(
              `Port ${port}, which ${service.name} needs, is in use. Free the port or set --port-offset.`,
            );
          }
        }
        const name = instances.length === 1 ? service.name : `${service.name}-${instance.number}`;
        return new ServerProcess({
          ...(await this.createStartOptions(service, instance)),
          port: this.layout.mainPort(instance),
          timeoutMs: TIMEOUT_MS,
          restart: true,
          stopTimeoutMs: service.stopGracePeriodSeconds * 1_000,
          onOutput: (text) => this.options.onOutput?.(name, text),
        });
      }),
    );
    await this.startAll(service.name, processes);
  }

  private async startAll(name: string, processes: ServerProcess[]): Promise<void> {
    if (this.stopping) throw new Error('The stack was stopped');
    this.processes.set(name, processes);
    await Promise.all(
      processes.map((process) =>
        process.start().catch((error: Error) => {
          throw new Error(`${name} did not start: ${error.message}`, { cause: error });
        }),
      ),
    );
  }

  /** Returns an instance's command and readiness check. */
  private async createStartOptions(service: ComposeService, instance: Instance) {
    const command = await createCommand(service, instance, this.layout);
    const env = this.createEnvironment(service, command.env);
    return { ...command, env, isReady: await this.createReadinessCheck(service, instance, env) };
  }

  private createEnvironment(service: ComposeService, env: Record<string, string>): Record<string, string> {
    return service.isOurs ? { ...env, ...this.options.env } : env;
  }

  private async createReadinessCheck(
    service: ComposeService,
    instance: Instance,
    env: Record<string, string>,
  ): Promise<() => Promise<boolean>> {
    if (service.healthcheck === null) throw new Error(`docker-compose.yml: ${service.name} has no health check`);
    const words = service.healthcheck.test.map((word) => this.layout.rewrite(word, instance, service.volumes));
    return createHealthCheck(words, env);
  }

  /** Runs a one-time service, which must exit with code 0. */
  private async runOneTimeService(service: ComposeService): Promise<void> {
    const command = await createCommand(service, { service: service.name, number: 1 }, this.layout);
    const env = this.createEnvironment(service, command.env);
    const step = new ServerProcess({
      ...command,
      env,
      onOutput: (text) => this.options.onOutput?.(service.name, text),
    });
    await this.startAll(service.name, [step]);
    const code = await step.waitForExit();
    if (code !== 0) throw new Error(`${service.name} failed (exit code: ${code ?? 'none'}):\n${step.output}`);
  }
}

/** Returns the services of a build that start without a profile. */
async function readServices(
  root: string,
  { kafkaBrokers = 1, javaOptions = [] }: StackOptions,
): Promise<Map<string, ComposeService>> {
  const file = await readFile(join(root, 'docker-compose.yml'), 'utf8');
  const all = addBrokers(readCompose(file), kafkaBrokers);
  // Also check services that won't start, so unsupported settings are always reported.
  for (const service of all.values()) checkSettings(service);
  const services = new Map([...all].filter(([, { profile }]) => profile === null));
  for (const { environment } of services.values()) {
    const heap = environment['KAFKA_HEAP_OPTS'];
    if (heap !== undefined) environment['KAFKA_HEAP_OPTS'] = [heap, ...javaOptions].join(' ');
  }
  return services;
}

const getPorts = (names: readonly string[], layout: HostLayout): number[] =>
  names.flatMap((name) => layout.instances(name).flatMap((instance) => layout.ports(instance)));
