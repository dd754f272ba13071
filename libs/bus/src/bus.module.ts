import { type DynamicModule, Global, Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { TopicName } from '#libs/contracts';
import { Health, LOGGER, type Logger } from '#libs/platform';
import { Bus } from './bus.js';
import { InProcessBus } from './in-process-bus.js';
import { KafkaBus } from './kafka/kafka-bus.js';
import type { KafkaOptions } from './kafka/kafka-options.js';
import { KafkaQueue } from './kafka/kafka-queue.js';
import { NoQueue, PipelineQueue } from './pipeline-queue.js';

interface BusModuleOptions {
  /** Kafka connection. Null (default) passes messages between services in this process. */
  kafka?: KafkaOptions | null;
  /** Client ID shown in the brokers' logs. Default: `agent-traffic`. */
  clientId?: string;
  /** Whether a bus fault makes the process unready. Default: true. */
  isCritical?: boolean;
  /** Topics whose producers connect at startup, so the first requests don't have to wait. */
  publishes?: readonly TopicName[];
}

const OPTIONS = Symbol('bus options');

@Global()
@Module({})
export class BusModule implements OnModuleInit {
  constructor(
    private readonly bus: Bus,
    private readonly health: Health,
    @Inject(OPTIONS) private readonly options: BusModuleOptions,
  ) {}

  static forRoot(options: BusModuleOptions = {}): DynamicModule {
    const { kafka = null, clientId = 'agent-traffic', publishes = [] } = options;
    return {
      module: BusModule,
      providers: [
        { provide: OPTIONS, useValue: options },
        {
          provide: Bus,
          inject: [LOGGER],
          useFactory: (logger: Logger) =>
            kafka === null
              ? new InProcessBus()
              : new KafkaBus({ kafka, clientId, publishes, logger, onFatal: (error) => end(error, logger) }),
        },
        {
          provide: PipelineQueue,
          inject: [LOGGER, Bus],
          useFactory: (logger: Logger, bus: Bus) =>
            kafka === null ? new NoQueue() : new KafkaQueue({ options: kafka, logger, clientId }, bus),
        },
      ],
      exports: [Bus, PipelineQueue],
    };
  }

  onModuleInit(): void {
    this.health.register('bus', () => this.bus.fault(), { critical: this.options.isCritical ?? true });
    if (this.options.kafka) this.health.register('topics', () => this.bus.warning(), { critical: false });
  }
}

/** Ends the process. Kafka redelivers uncommitted messages to the next one. */
function end(error: Error, logger: Logger): void {
  logger.fatal({ err: error }, 'this cannot be recovered from; the process ends');
  logger.flush();
  process.exit(1);
}
