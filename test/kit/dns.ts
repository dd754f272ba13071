import type { AddressInfo } from 'node:net';
import { createUDPServer, Packet, type UDPServer } from 'dns2';

type RecordType = 'PTR' | 'A' | 'AAAA';

interface Records {
  values: string[];
  /** Time to live in seconds. */
  ttl: number;
}

/** The way in which a name server fails. With `silence`, it never responds. */
type Failure = 'SERVFAIL' | 'REFUSED' | 'silence';

/** DNS server on localhost that serves the records a test adds. Unknown names don't exist. */
export class TestDnsServer {
  /** Received questions, such as `A crawl.bot.example`. Retries have the same ID and count once. */
  readonly receivedQuestions: string[] = [];
  /** Number of received questions, including retries. */
  receivedPackets = 0;
  private readonly receivedIds = new Set<string>();
  /** The way in which all questions fail. If null, only names passed to {@link fail} fail. */
  failure: Failure | null = null;
  private readonly zone = new Map<string, Partial<Record<RecordType, Records>>>();
  private readonly failures = new Map<string, Failure>();
  /** Responses on hold, keyed by question so that a retry counts once. */
  private heldResponses: Map<string, () => void> | null = null;
  private readonly socket: UDPServer;

  private constructor() {
    this.socket = createUDPServer((request, send) => {
      const [question] = request.questions;
      const type = question!.type === Packet.TYPE.PTR ? 'PTR' : question!.type === Packet.TYPE.A ? 'A' : 'AAAA';
      const name = question!.name.toLowerCase();
      this.receivedPackets += 1;
      const id = `${request.header.id} ${type} ${name}`;
      if (!this.receivedIds.has(id)) this.receivedQuestions.push(`${type} ${name}`);
      this.receivedIds.add(id);
      const failure = this.failure ?? this.failures.get(name);
      if (failure === 'silence') return;
      const respond = (): void =>
        void Promise.resolve(send(this.response(request, type, name, failure))).catch(() => undefined);
      if (this.heldResponses === null) respond();
      else this.heldResponses.set(`${type} ${name}`, respond);
    });
  }

  static async start(): Promise<TestDnsServer> {
    const server = new TestDnsServer();
    await server.socket.listen(0, '127.0.0.1');
    return server;
  }

  /** Address in the `DNS_SERVERS` format. */
  get address(): string {
    return `127.0.0.1:${(this.socket.address() as AddressInfo).port}`;
  }

  setRecords(type: RecordType, name: string, values: string[], ttl = 3_600): void {
    this.zone.set(name, { ...this.zone.get(name), [type]: { values, ttl } });
  }

  fail(name: string, failure: Failure): void {
    this.failures.set(name, failure);
  }

  /** Holds back responses until {@link releaseResponses} is called. */
  holdResponses(): void {
    this.heldResponses = new Map();
  }

  get heldCount(): number {
    return this.heldResponses?.size ?? 0;
  }

  releaseResponses(): void {
    for (const respond of this.heldResponses?.values() ?? []) respond();
    this.heldResponses = null;
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
