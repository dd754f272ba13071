/** Maps container ports, addresses, and paths to the host. */
import { join } from 'node:path';

/**
 * Host ports by container port. Third-party servers use unusual ports to avoid conflicts with servers that are already
 * running.
 */
const HOST_PORTS: Record<string, Record<number, number>> = {
  edge: { 3000: 3000 },
  gateway: { 3001: 3001 },
  console: { 3002: 3002 },
  enrichment: { 3003: 3003 },
  ingest: { 3004: 3004 },
  catalog: { 3005: 3005 },
  rules: { 3006: 3006 },
  postgres: { 5432: 15_432 },
  redis: { 6379: 16_379 },
  kafka: { 9092: 19_092, 9093: 19_093 },
};
/** Container subnet. On the host, all processes use loopback addresses instead. */
const CONTAINER_SUBNET = '172.16.251.0/24';
/** Port distance between two replicas or brokers. */
const REPLICA_PORT_STEP = 100;

/** Single process of a service. */
export interface Instance {
  service: string;
  /** Replica or broker number, starting at 1. */
  number: number;
}

interface HostLayoutOptions {
  data: string;
  /** Offset added to every port. */
  portOffset: number;
  root: string;
  /** Number of processes per service. Default: 1. */
  scale?: Readonly<Record<string, number>>;
}

export class HostLayout {
  readonly options: HostLayoutOptions;

  constructor(options: HostLayoutOptions) {
    this.options = options;
  }

  port({ service, number }: Instance, containerPort: number): number {
    const port = HOST_PORTS[service]?.[containerPort];
    if (port === undefined) throw new Error(`The stack has no mapping for port ${containerPort} of ${service}`);
    return port + (number - 1) * REPLICA_PORT_STEP + this.options.portOffset;
  }

  /** Returns the port that must be open before a service counts as started. */
  mainPort(instance: Instance): number {
    const [first] = Object.keys(HOST_PORTS[instance.service] ?? {});
    return this.port(instance, Number(first));
  }

  ports(instance: Instance): number[] {
    return Object.keys(HOST_PORTS[instance.service] ?? {}).map((port) => this.port(instance, Number(port)));
  }

  /** Returns all processes of a service. `kafka-2` is the second broker. */
  instances(name: string): Instance[] {
    const [, service, broker] = /^(.*?)(?:-(\d))?$/.exec(name)!;
    if (broker !== undefined) return [{ service: service!, number: Number(broker) }];
    return Array.from({ length: this.options.scale?.[name] ?? 1 }, (_, index) => ({
      service: name,
      number: index + 1,
    }));
  }

  /** Returns the host path for a container path. */
  path(volumes: readonly { source: string; target: string }[], path: string): string {
    for (const { source, target } of volumes) {
      if (path !== target && !path.startsWith(`${target}/`)) continue;
      const folder = source.startsWith('./') ? this.options.root : this.options.data;
      return join(folder, source) + path.slice(target.length);
    }
    throw new Error(`The stack has no volume for ${path}`);
  }

  /** Returns the host path where a service's volume is mounted. */
  mountPoint(service: string, target: string): string {
    return join(this.options.data, 'mounts', service, target);
  }

  /**
   * Replaces container addresses, ports, and paths with their host equivalents. `kafka-2` is the second broker.
   *
   * @param volumes Volumes of the service that the text belongs to.
   */
  rewrite(text: string, instance: Instance, volumes: readonly { source: string; target: string }[]): string {
    let result = text.replaceAll(/\b([a-z]+)(?:-(\d))?:(\d{4,5})\b/g, (whole, service: string, number = '1', port) =>
      HOST_PORTS[service]?.[Number(port)] === undefined
        ? whole
        : `127.0.0.1:${this.port({ service, number: Number(number) }, Number(port))}`,
    );
    for (const port of Object.keys(HOST_PORTS[instance.service] ?? {}).map(Number)) {
      const hostPort = this.port(instance, port);
      result = result
        .replaceAll(`://:${port}`, `://127.0.0.1:${hostPort}`)
        .replaceAll(new RegExp(`(?:0\\.0\\.0\\.0|127\\.0\\.0\\.1):${port}\\b`, 'g'), `127.0.0.1:${hostPort}`);
      if (result === String(port)) result = String(hostPort);
    }
    if (result.split(',').includes(CONTAINER_SUBNET)) result = result.replace(CONTAINER_SUBNET, '127.0.0.0/8');
    // Address at which browsers reach the edge. It's in the settings of other services.
    const edge = this.port({ service: 'edge', number: 1 }, 3000);
    if (instance.service !== 'edge') result = result.replaceAll('127.0.0.1:3000', `127.0.0.1:${edge}`);
    if (result === '0.0.0.0') return '127.0.0.1';
    const [, option = '', path = ''] = /^(-D[\w.]+=)?(.*)$/s.exec(result)!;
    if (option !== '') return option + this.rewrite(path, instance, volumes);
    for (const { target } of volumes) {
      if (result === target || result.startsWith(`${target}/`)) return this.path(volumes, result);
      // Handle paths that aren't a volume themselves but contain mounted volumes.
      if (result !== '' && target.startsWith(`${result}/`)) return this.mountPoint(instance.service, result);
    }
    return result;
  }
}
