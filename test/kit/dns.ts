import type { AddressInfo } from 'node:net';
import { createUDPServer, Packet, type UDPServer } from 'dns2';

type RecordType = 'PTR' | 'A' | 'AAAA';

interface Records {
  values: string[];
  /** Seconds. */
  ttl: number;
}

/** How a name server fails; `silence` is never an answer. */
type Failure = 'SERVFAIL' | 'REFUSED' | 'silence';

/** A name server on the loopback, with the records that a test gives it. Unknown names don't exist. */
export class TestDnsServer {
  /** Every datagram that it was sent, as `A crawl.bot.example`. */
  readonly asked: string[] = [];
  /** What it does with every question instead of answering it. */
  failure: Failure | null = null;
  private readonly zone = new Map<string, Partial<Record<RecordType, Records>>>();
  private readonly failures = new Map<string, Failure>();
  /** By question: one that is sent again is still the same. */
  private held: Map<string, () => void> | null = null;
  private readonly socket: UDPServer;

  private constructor() {
    this.socket = createUDPServer((request, send) => {
      const [question] = request.questions;
      const type = question!.type === Packet.TYPE.PTR ? 'PTR' : question!.type === Packet.TYPE.A ? 'A' : 'AAAA';
      const name = question!.name.toLowerCase();
      this.asked.push(`${type} ${name}`);
      const failure = this.failure ?? this.failures.get(name);
      if (failure === 'silence') return;
      const respond = (): void =>
        void Promise.resolve(send(this.response(request, type, name, failure))).catch(() => undefined);
      if (this.held === null) respond();
      else this.held.set(`${type} ${name}`, respond);
    });
  }

  static async start(): Promise<TestDnsServer> {
    const server = new TestDnsServer();
    await server.socket.listen(0, '127.0.0.1');
    return server;
  }

  /** As DNS_SERVERS has it. */
  get address(): string {
    return `127.0.0.1:${(this.socket.address() as AddressInfo).port}`;
  }

  set(type: RecordType, name: string, values: string[], ttl = 3_600): void {
    this.zone.set(name, { ...this.zone.get(name), [type]: { values, ttl } });
  }

  fail(name: string, failure: Failure): void {
    this.failures.set(name, failure);
  }

  /** Keeps questions until {@link release}. */
  hold(): void {
    this.held = new Map();
  }

  /** Questions that wait for their answers. */
  get holding(): number {
    return this.held?.size ?? 0;
  }

  release(): void {
    for (const respond of this.held?.values() ?? []) respond();
    this.held = null;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.socket.close(() => resolve()));
  }

  private response(request: Packet, type: RecordType, name: string, failure: Failure | undefined): Packet {
    const response = Packet.createResponseFromRequest(request);
    const node = this.zone.get(name);
    if (failure === 'SERVFAIL') response.header.rcode = Packet.RCODE.SERVFAIL;
    else if (failure === 'REFUSED') response.header.rcode = Packet.RCODE.REFUSED;
    else if (node === undefined) response.header.rcode = Packet.RCODE.NXDOMAIN;
    const { values = [], ttl = 0 } = (failure === undefined ? node?.[type] : undefined) ?? {};
    response.answers = values.map((value) => ({
      name: request.questions[0]!.name,
      type: Packet.TYPE[type],
      class: Packet.CLASS.IN,
      ttl,
      ...(type === 'PTR' ? { domain: value } : { address: value }),
    })) as Packet['answers'];
    return response;
  }
}
