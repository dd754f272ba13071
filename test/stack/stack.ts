/** The deployment of docker-compose.yml on this machine, without Docker. */
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../kit/run-folder.ts';
import { readCompose, type ComposeService } from './compose.ts';
import { checkOf, checkSettings, commandOf } from './images.ts';
import { HostLayout, type Instance } from './host-layout.ts';
import { freePortOffset, isFree } from './ports.ts';
import { withBrokers } from './scale.ts';
import { ServerProcess } from './server-process.ts';

const ROOT = join(import.meta.dirname, '../..');
/** For a server to be healthy. All of them start at once, on whatever machine there is. */
const TIMEOUT_MS = 120_000;

/** Of kafkajs' settings, those by which a client gets in. */
interface KafkaAccess {
  brokers: string[];
  sasl: { mechanism: 'plain'; username: string; password: string };
}

export interface StackOptions {
  /** Folder of the repository whose deployment it is; this one unless given. */
  root?: string;
  /** Services to start, with what they depend on; all of them unless given. */
  only?: readonly string[];
  kafkaBrokers?: number;
  /** Processes of a service; one unless given. */
  scale?: Readonly<Record<string, number>>;
  /** Folder of all data, kept at the end; a temporary one unless given. */
  data?: string;
  /** Added to every port, so that several stacks can run; `free` looks for one. */
  portOffset?: number | 'free';
  /** Settings beside those of the file, for all of our services. */
  env?: Readonly<Record<string, string>>;
  /** Of Java, beside those of the file, for brokers. */
  javaOptions?: readonly string[];
  /** Stops it, also while it starts. */
  signal?: AbortSignal;
  /** Told what a process prints. */
  onOutput?: (name: string, text: string) => void;
  /** Told what is being done. */
  onProgress?: (line: string) => void;
}

export class Stack {
  layout: HostLayout;
  private readonly options: StackOptions;
  private services: ReadonlyMap<string, ComposeService>;
  private readonly isTemporary: boolean;
  private readonly starting = new Map<string, Promise<void>>();
  private readonly processes = new Map<string, ServerProcess[]>();
  /** Names in the order of their start. */
  private readonly started: string[] = [];
  private stopping: Promise<void> | null = null;

  private constructor(options: StackOptions, services: ReadonlyMap<string, ComposeService>, layout: HostLayout) {
    this.options = options;
    this.services = services;
    this.isTemporary = options.data === undefined;
    this.layout = layout;
  }

  /** Resolves when all of it is healthy. @throws Error that names what is not, with the last of its log. */
  static async start(options: StackOptions = {}): Promise<Stack> {
    const { root = ROOT, scale = {}, portOffset = 0, signal } = options;
    const services = await servicesOf(root, options);
    for (const name of [...(options.only ?? []), ...Object.keys(scale)]) {
      if (!services.has(name)) throw new Error(`docker-compose.yml has no service ${name}`);
    }
    for (const name of Object.keys(scale)) {
      if (!services.get(name)!.isOurs) throw new Error(`${name} cannot have replicas`);
    }
    const data = options.data === undefined ? await temporaryFolder() : resolve(options.data);
    await mkdir(data, { recursive: true });
    // PostgreSQL runs as another user, who has to pass through; the secrets in it are closed themselves.
    await chmod(data, 0o711);
    const layoutAt = (offset: number) => new HostLayout({ data, portOffset: offset, root, scale });
    const layout = layoutAt(
      portOffset === 'free' ? await freePortOffset(portsOf([...services.keys()], layoutAt(0))) : portOffset,
    );
    const stack = new Stack(options, services, layout);
    const stop = (): void => void stack.stop();
    signal?.addEventListener('abort', stop);
    if (signal?.aborted) stop();
    try {
      await Promise.all(stack.wanted().map((name) => stack.ensure(name)));
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
   * Runs the steps of another build, its migration among them, and has services run that build once they are replaced.
   *
   * @throws when a step refuses; everything is as before then.
   */
  async adopt(root: string): Promise<void> {
    const { layout, services } = this;
    try {
      this.layout = new HostLayout({ ...layout.options, root });
      this.services = await servicesOf(root, this.options);
      for (const service of this.services.values()) if (!service.restart) await this.runStep(service);
    } catch (error) {
      Object.assign(this, { layout, services });
      throw error;
    }
  }

  /** Replaces the processes of a service by those of the build that was adopted, one after the other. */
  async replace(name: string): Promise<void> {
    const service = this.services.get(name)!;
    for (const [index, instance] of this.layout.instances(name).entries()) {
      const process = this.service(name)[index]!;
      await process.stop();
      process.change(await this.startOf(service, instance));
      await process.start();
    }
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

  /** How a client reaches Kafka as a service. */
  async kafkaClient(service = 'migrate'): Promise<KafkaAccess> {
    const password = await this.secret('kafka-password', service);
    return { brokers: this.kafkaBrokers, sasl: { mechanism: 'plain', username: service, password } };
  }

  /** A secret that the deployment made for itself, e.g. `access-token`. @param service whose own it is. */
  async secret(name: string, service?: string): Promise<string> {
    const folder = service === undefined ? 'secrets' : `${service}-secrets`;
    return (await readFile(join(this.layout.options.data, folder, name), 'utf8')).trim();
  }

  /** Ends everything, the last started first; a temporary data folder is removed. */
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
    // What was about to start sees that it must not.
    await Promise.allSettled(this.starting.values());
    if (this.isTemporary) await rm(this.layout.options.data, { recursive: true, force: true });
  }

  /** Names of what is to run; a broker needs the others. */
  private wanted(): string[] {
    const names = [...this.services.keys()];
    const only = this.options.only ?? names;
    return names.filter((name) => only.includes(name) || (name.startsWith('kafka-') && only.includes('kafka')));
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
    const since = performance.now();
    this.started.push(service.name);
    if (service.restart) await this.startProcesses(service);
    else await this.runStep(service);
    const seconds = ((performance.now() - since) / 1_000).toFixed(1);
    this.options.onProgress?.(`${service.restart ? 'started' : 'done'}: ${service.name} (${seconds} s)`);
  }

  private async startProcesses(service: ComposeService): Promise<void> {
    const instances = this.layout.instances(service.name);
    const processes = await Promise.all(
      instances.map(async (instance) => {
        for (const port of this.layout.ports(instance)) {
          if (!(await isFree(port))) {
            throw new Error(`port ${port} of ${service.name} is taken: end what listens there, or use --port-offset`);
          }
        }
        const name = instances.length === 1 ? service.name : `${service.name}-${instance.number}`;
        return new ServerProcess({
          ...(await this.startOf(service, instance)),
          port: this.layout.mainPort(instance),
          timeoutMs: TIMEOUT_MS,
          restart: true,
          stopTimeoutMs: service.stopGracePeriod * 1_000,
          onOutput: (text) => this.options.onOutput?.(name, text),
        });
      }),
    );
    await this.startAll(service.name, processes);
  }

  private async startAll(name: string, processes: ServerProcess[]): Promise<void> {
    if (this.stopping) throw new Error('the stack is stopped');
    this.processes.set(name, processes);
    await Promise.all(
      processes.map((process) =>
        process.start().catch((error: Error) => {
          throw new Error(`${name} does not start: ${error.message}`, { cause: error });
        }),
      ),
    );
  }

  /** How an instance is started, and seen to serve. */
  private async startOf(service: ComposeService, instance: Instance) {
    const command = await commandOf(service, instance, this.layout);
    const env = service.isOurs ? { ...command.env, ...this.options.env } : command.env;
    return { ...command, env, isReady: await this.healthOf(service, instance, env) };
  }

  private async healthOf(
    service: ComposeService,
    instance: Instance,
    env: Record<string, string>,
  ): Promise<() => Promise<boolean>> {
    if (service.healthcheck === null) throw new Error(`docker-compose.yml: ${service.name} has no health check`);
    const words = service.healthcheck.test.map((word) => this.layout.rewrite(word, instance, service.volumes));
    return checkOf(words, env);
  }

  /** Something that ends by itself, well. */
  private async runStep(service: ComposeService): Promise<void> {
    const command = await commandOf(service, { service: service.name, number: 1 }, this.layout);
    const step = new ServerProcess({ ...command, onOutput: (text) => this.options.onOutput?.(service.name, text) });
    await this.startAll(service.name, [step]);
    const code = await step.untilExit();
    if (code !== 0) throw new Error(`${service.name} failed with ${code ?? 'a signal'}:\n${step.output}`);
  }
}

/** The services of a build that run without a profile. */
async function servicesOf(
  root: string,
  { kafkaBrokers = 1, javaOptions = [] }: StackOptions,
): Promise<Map<string, ComposeService>> {
  const file = await readFile(join(root, 'docker-compose.yml'), 'utf8');
  const all = withBrokers(readCompose(file), kafkaBrokers);
  // All of them, also where only some are started: what is not understood has to show.
  for (const service of all.values()) checkSettings(service);
  const services = new Map([...all].filter(([, { profile }]) => profile === null));
  for (const { environment } of services.values()) {
    const heap = environment['KAFKA_HEAP_OPTS'];
    if (heap !== undefined) environment['KAFKA_HEAP_OPTS'] = [heap, ...javaOptions].join(' ');
  }
  return services;
}

const portsOf = (names: readonly string[], layout: HostLayout): number[] =>
  names.flatMap((name) => layout.instances(name).flatMap((instance) => layout.ports(instance)));
