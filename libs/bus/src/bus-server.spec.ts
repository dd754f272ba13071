import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { TOPICS } from '#libs/contracts';
import { TransientError, type HandlerContext } from './bus.js';
import { BusServer, ConsumeBatch } from './bus-server.js';
import { InProcessBus } from './in-process-bus.js';
import type { ReceivedMessage } from './message.js';
import { OK, type Outcome } from './outcome.js';
import { createRawTopic } from '../../../test/kit/raw-topic.js';

const RECEIVED_VISITS = createRawTopic(TOPICS.visitsReceived);
const handledMessages: string[] = [];
const deadlines: number[] = [];

@Controller()
class FirstGroup {
  @ConsumeBatch(RECEIVED_VISITS, 'first')
  async handle(@Payload() messages: ReceivedMessage[], @Ctx() { deadline }: HandlerContext): Promise<Outcome[]> {
    deadlines.push(deadline);
    for (const { value } of messages) {
      if (value.toString() === 'outage') throw new TransientError('original error');
      handledMessages.push(`first ${value}`);
    }
    return messages.map(() => OK);
  }
}

@Controller()
class SecondGroup {
  @ConsumeBatch(RECEIVED_VISITS, 'second')
  async handle(@Payload() messages: ReceivedMessage[]): Promise<Outcome[]> {
    for (const { value } of messages) handledMessages.push(`second ${value}`);
    return messages.map(() => OK);
  }

  @ConsumeBatch(createRawTopic(TOPICS.visitsEnriched), 'second')
  async handleEnriched(@Payload() messages: ReceivedMessage[]): Promise<Outcome[]> {
    return messages.map(() => OK);
  }

  @ConsumeBatch(createRawTopic(TOPICS.visitsDeadLetter), 'second')
  async handleDeadLetters(@Payload() messages: ReceivedMessage[]): Promise<Outcome[]> {
    return messages.map(() => OK);
  }
}

describe('BusServer', () => {
  it('passes entire batches to each group, and passes the original errors to the bus', async () => {
    const bus = new InProcessBus();
    const testing = await Test.createTestingModule({ controllers: [FirstGroup, SecondGroup] }).compile();
    const app = testing.createNestApplication(new FastifyAdapter(), { logger: false });
    app.connectMicroservice({ strategy: new BusServer(bus) });
    await app.startAllMicroservices();
    const message = (value: string) => ({
      topic: TOPICS.visitsReceived,
      key: null,
      value: Buffer.from(value),
      headers: {},
    });

    await bus.publish(RECEIVED_VISITS, [message('a')]);
    expect(deadlines).toEqual([expect.any(Number)]);
    expect(handledMessages.toSorted()).toEqual(['first a', 'second a']);
    const publishError = await bus.publish(RECEIVED_VISITS, [message('outage')]).catch((error: Error) => error);
    expect((publishError as Error).cause).toBeInstanceOf(TransientError);
    expect(((publishError as Error).cause as Error).message).toBe('original error');
    await app.close();
  });
});
