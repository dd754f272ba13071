import type { Producer, ProducerRecord, RecordMetadata } from 'kafkajs';

/**
 * Sends messages with kafkajs's idempotent producer. Brokers append each message only once, even if it is sent
 * repeatedly. Callers must wait for one send before starting the next.
 */
export class IdempotentSender {
  private producerPromise: Promise<Producer> | null = null;

  constructor(private readonly createProducer: () => Producer) {}

  async connect(): Promise<void> {
    await this.getProducer();
  }

  async send(record: ProducerRecord): Promise<RecordMetadata[]> {
    const producerPromise = this.getProducer();
    try {
      const producer = await producerPromise;
      return await producer.send(record);
    } catch (error) {
      // kafkajs reuses a failed send's sequence numbers for the next one. If brokers did append the failed send, they
      // would drop the next one as a duplicate, so a new producer is needed.
      this.producerPromise = null;
      void disconnect(producerPromise);
      throw error;
    }
  }

  private getProducer(): Promise<Producer> {
    if (this.producerPromise === null) {
      const producerPromise = connect(this.createProducer());
      this.producerPromise = producerPromise;
      // Lets the next send try again.
      producerPromise.catch(() => {
        if (this.producerPromise === producerPromise) this.producerPromise = null;
      });
    }
    return this.producerPromise;
  }

  async disconnect(): Promise<void> {
    if (this.producerPromise !== null) await disconnect(this.producerPromise);
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

const disconnect = (producerPromise: Promise<Producer>): Promise<void> =>
  producerPromise.then((producer) => producer.disconnect()).catch(() => undefined);
