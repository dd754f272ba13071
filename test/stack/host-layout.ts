/** Where things of the containers are on this machine: the only differences between the two ways to run. */
import { join } from 'node:path';

/** Ports of the containers, and here. The servers' are others than usual, so that those of the machine may run. */
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
/** Addresses of the containers, which all are the loopback here. */
const NETWORK = '172.16.251.0/24';
/** Distance of the ports of a replica, and of a further broker, from the first one's. */
const REPLICA_PORTS = 100;

/** One process of a service. */
export interface Instance {
  service: string;
  /** 1 for the first. */
  number: number;
}

interface HostLayoutOptions {
  /** Folder of all data. */
  data: string;
  /** Added to every port. */
  portOffset: number;
  /** This repository. */
  root: string;
  /** Processes of a service; one unless given. */
  scale?: Readonly<Record<string, number>>;
}

export class HostLayout {
  readonly options: HostLayoutOptions;

  constructor(options: HostLayoutOptions) {
    this.options = options;
  }

  /** The port here of a container's port. */
  port({ service, number }: Instance, containerPort: number): number {
    const port = PORTS[service]?.[containerPort];
    if (port === undefined) throw new Error(`the stack maps no port ${containerPort} of ${service}`);
    return port + (number - 1) * REPLICA_PORTS + this.options.portOffset;
  }

  /** The port that a service has to serve at. */
  mainPort(instance: Instance): number {
    const [first] = Object.keys(PORTS[instance.service] ?? {});
    return this.port(instance, Number(first));
  }

  /** All ports of an instance, here. */
  ports(instance: Instance): number[] {
    return Object.keys(PORTS[instance.service] ?? {}).map((port) => this.port(instance, Number(port)));
  }

  /** Every process of a service; `kafka-2` is the second broker. */
  instances(name: string): Instance[] {
    const [, service, broker] = /^(.*?)(?:-(\d))?$/.exec(name)!;
    if (broker !== undefined) return [{ service: service!, number: Number(broker) }];
    return Array.from({ length: this.options.scale?.[name] ?? 1 }, (_, index) => ({
      service: name,
      number: index + 1,
    }));
  }

  /** The folder or file here of a path in the container. */
  path(volumes: readonly { source: string; target: string }[], path: string): string {
    for (const { source, target } of volumes) {
      if (path !== target && !path.startsWith(`${target}/`)) continue;
      const folder = source.startsWith('./') ? this.options.root : this.options.data;
      return join(folder, source) + path.slice(target.length);
    }
    throw new Error(`the stack maps no volume to ${path}`);
  }

  /** Where a volume of a service is found by its path in the container. */
  mountPoint(service: string, target: string): string {
    return join(this.options.data, 'mounts', service, target);
  }

  /**
   * A text with the container's addresses, ports and paths replaced by those here. `kafka-2` is the second broker.
   *
   * @param volumes of the service whose text it is.
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
    // The published address, wherever it is told.
    const edge = this.port({ service: 'edge', number: 1 }, 3000);
    if (instance.service !== 'edge') result = result.replaceAll('127.0.0.1:3000', `127.0.0.1:${edge}`);
    if (result === '0.0.0.0') return '127.0.0.1';
    const [, option = '', path = ''] = /^(-D[\w.]+=)?(.*)$/s.exec(result)!;
    if (option !== '') return option + this.rewrite(path, instance, volumes);
    for (const { target } of volumes) {
      if (result === target || result.startsWith(`${target}/`)) return this.path(volumes, result);
      // The folder that volumes are mounted in.
      if (result !== '' && target.startsWith(`${result}/`)) return this.mountPoint(instance.service, result);
    }
    return result;
  }
}
