import type { Producer, ProducerRecord, RecordMetadata } from 'kafkajs';

/**
 * Sends messages with kafkajs's idempotent producer: brokers append a message only once, even if it's sent repeatedly.
 * Callers must wait for one send before starting the next.
 */
export class IdempotentSender {
  private connected: Promise<Producer> | null = null;

  constructor(private readonly newProducer: () => Producer) {}

  async connect(): Promise<void> {
    await this.connecting();
  }

  async send(record: ProducerRecord): Promise<RecordMetadata[]> {
    const connected = this.connecting();
    try {
      const producer = await connected;
      return await producer.send(record);
    } catch (error) {
      // kafkajs reuses a failed send's sequence numbers for the next one. If the brokers did append the failed send,
      // they would drop the next one as a duplicate. Use a new producer instead.
      this.connected = null;
      void disconnect(connected);
      throw error;
    }
  }

  private connecting(): Promise<Producer> {
    if (this.connected === null) {
      const connected = connect(this.newProducer());
      this.connected = connected;
      // Lets the next send try again.
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
