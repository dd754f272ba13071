/** Maps container ports, addresses and paths to this machine. */
import { join } from 'node:path';

/**
 * Ports on this machine by container port. Third-party servers use unusual ports to avoid conflicts with
 * servers that already run here.
 */
const PORTS: Record<string, Record<number, number>> = {
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
/** Subnet of the containers. On this machine, every process uses loopback addresses. */
const NETWORK = '172.16.251.0/24';
/** Port distance from one replica or broker to the next. */
const REPLICA_PORTS = 100;

/** One process of a service. */
export interface Instance {
  service: string;
  /** Starts at 1. */
  number: number;
}

interface HostLayoutOptions {
  data: string;
  /** Added to every port. */
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
    const port = PORTS[service]?.[containerPort];
    if (port === undefined) throw new Error(`the stack maps no port ${containerPort} of ${service}`);
    return port + (number - 1) * REPLICA_PORTS + this.options.portOffset;
  }

  /** Returns the port that a service must open before it counts as started. */
  mainPort(instance: Instance): number {
    const [first] = Object.keys(PORTS[instance.service] ?? {});
    return this.port(instance, Number(first));
  }

  ports(instance: Instance): number[] {
    return Object.keys(PORTS[instance.service] ?? {}).map((port) => this.port(instance, Number(port)));
  }

  /** Returns every process of a service. `kafka-2` is the second broker. */
  instances(name: string): Instance[] {
    const [, service, broker] = /^(.*?)(?:-(\d))?$/.exec(name)!;
    if (broker !== undefined) return [{ service: service!, number: Number(broker) }];
    return Array.from({ length: this.options.scale?.[name] ?? 1 }, (_, index) => ({
      service: name,
      number: index + 1,
    }));
  }

  /** Returns the path on this machine for a path in the container. */
  path(volumes: readonly { source: string; target: string }[], path: string): string {
    for (const { source, target } of volumes) {
      if (path !== target && !path.startsWith(`${target}/`)) continue;
      const folder = source.startsWith('./') ? this.options.root : this.options.data;
      return join(folder, source) + path.slice(target.length);
    }
    throw new Error(`the stack maps no volume to ${path}`);
  }

  /** Returns the path on this machine where a service's volume is mounted. */
  mountPoint(service: string, target: string): string {
    return join(this.options.data, 'mounts', service, target);
  }

  /**
   * Replaces the container's addresses, ports and paths with those of this machine. `kafka-2` is the second broker.
   *
   * @param volumes volumes of the service that the text belongs to
   */
  rewrite(text: string, instance: Instance, volumes: readonly { source: string; target: string }[]): string {
    let result = text.replaceAll(/\b([a-z]+)(?:-(\d))?:(\d{4,5})\b/g, (whole, service: string, number = '1', port) =>
      PORTS[service]?.[Number(port)] === undefined
        ? whole
        : `127.0.0.1:${this.port({ service, number: Number(number) }, Number(port))}`,
    );
    for (const port of Object.keys(PORTS[instance.service] ?? {}).map(Number)) {
      const here = this.port(instance, port);
      result = result
        .replaceAll(`://:${port}`, `://127.0.0.1:${here}`)
        .replaceAll(new RegExp(`(?:0\\.0\\.0\\.0|127\\.0\\.0\\.1):${port}\\b`, 'g'), `127.0.0.1:${here}`);
      if (result === String(port)) result = String(here);
    }
    if (result.split(',').includes(NETWORK)) result = result.replace(NETWORK, '127.0.0.0/8');
    // The published address, which other services have in their settings.
    const edge = this.port({ service: 'edge', number: 1 }, 3000);
    if (instance.service !== 'edge') result = result.replaceAll('127.0.0.1:3000', `127.0.0.1:${edge}`);
    if (result === '0.0.0.0') return '127.0.0.1';
    const [, option = '', path = ''] = /^(-D[\w.]+=)?(.*)$/s.exec(result)!;
    if (option !== '') return option + this.rewrite(path, instance, volumes);
    for (const { target } of volumes) {
      if (result === target || result.startsWith(`${target}/`)) return this.path(volumes, result);
      // Parent folder of mounted volumes.
      if (result !== '' && target.startsWith(`${result}/`)) return this.mountPoint(instance.service, result);
    }
    return result;
  }
}
