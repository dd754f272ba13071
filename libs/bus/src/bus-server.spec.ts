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
import { rawTopic } from '../../../test/kit/raw-topic.js';

const RECEIVED = rawTopic(TOPICS.visitsReceived);
const seen: string[] = [];
const deadlines: number[] = [];

@Controller()
class FirstGroup {
  @ConsumeBatch(RECEIVED, 'first')
  async handle(@Payload() messages: ReceivedMessage[], @Ctx() { deadline }: HandlerContext): Promise<Outcome[]> {
    deadlines.push(deadline);
    for (const { value } of messages) {
      if (value.toString() === 'outage') throw new TransientError('the original');
      seen.push(`first ${value}`);
    }
    return messages.map(() => OK);
  }
}

@Controller()
class SecondGroup {
  @ConsumeBatch(RECEIVED, 'second')
  async handle(@Payload() messages: ReceivedMessage[]): Promise<Outcome[]> {
    for (const { value } of messages) seen.push(`second ${value}`);
    return messages.map(() => OK);
  }

  @ConsumeBatch(rawTopic(TOPICS.visitsEnriched), 'second')
  async enriched(@Payload() messages: ReceivedMessage[]): Promise<Outcome[]> {
    return messages.map(() => OK);
  }

  @ConsumeBatch(rawTopic(TOPICS.visitsDeadLetter), 'second')
  async letters(@Payload() messages: ReceivedMessage[]): Promise<Outcome[]> {
    return messages.map(() => OK);
  }
}

describe('BusServer', () => {
  it('passes entire batches to each group and the original error to the bus', async () => {
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

    await bus.publish(RECEIVED, [message('a')]);
    expect(deadlines).toEqual([expect.any(Number)]);
    expect(seen.toSorted()).toEqual(['first a', 'second a']);
    const failure = await bus.publish(RECEIVED, [message('outage')]).catch((error: Error) => error);
    expect((failure as Error).cause).toBeInstanceOf(TransientError);
    expect(((failure as Error).cause as Error).message).toBe('the original');
    await app.close();
  });
});
