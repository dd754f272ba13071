import type { Producer, ProducerRecord, RecordMetadata } from 'kafkajs';

/**
 * Sends messages by an idempotent producer of kafkajs, which numbers them: brokers append what it sends again only once. Callers
 * wait for one send before they begin the next.
 */
export class IdempotentSender {
  private connected: Promise<Producer> | null = null;

  constructor(private readonly newProducer: () => Producer) {}

  /** Connects early. The first send does so, too. */
  async connect(): Promise<void> {
    await this.connecting();
  }

  async send(record: ProducerRecord): Promise<RecordMetadata[]> {
    const connected = this.connecting();
    try {
      const producer = await connected;
      return await producer.send(record);
    } catch (error) {
      // kafkajs gives the numbers of a failed send to the next one. If brokers have appended it after all, they would drop
      // those messages as repeats, so they get a producer of their own.
      this.connected = null;
      void disconnect(connected);
      throw error;
    }
  }

  private connecting(): Promise<Producer> {
    if (this.connected === null) {
      const connected = connect(this.newProducer());
      this.connected = connected;
      // The next send tries again.
      connected.catch(() => {
        if (this.connected === connected) this.connected = null;
      });
    }
    return this.connected;
  }

  async disconnect(): Promise<void> {
    if (this.connected !== null) await disconnect(this.connected);
  }
}

async function connect(producer: Producer): Promise<Producer> {
  try {
    await producer.connect();
    return producer;
  } catch (error) {
    void producer.disconnect().catch(() => undefined);
    throw error;
  }
}

const disconnect = (connected: Promise<Producer>): Promise<void> =>
  connected.then((producer) => producer.disconnect()).catch(() => undefined);
