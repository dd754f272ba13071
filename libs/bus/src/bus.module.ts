import { type DynamicModule, Global, Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { TopicName } from '#libs/contracts';
import { Health, LOGGER, type Logger } from '#libs/platform';
import { Bus } from './bus.js';
import { InProcessBus } from './in-process-bus.js';
import { KafkaBus } from './kafka/kafka-bus.js';
import type { KafkaOptions } from './kafka/kafka-options.js';
import { KafkaQueue } from './kafka/kafka-queue.js';
import { InProcessQueue, PipelineQueue } from './pipeline-queue.js';

interface BusModuleOptions {
  /** Kafka connection. Null (the default) passes messages between services in this process. */
  kafka?: KafkaOptions | null;
  /** Client ID in the brokers' logs. Default: `agent-traffic`. */
  clientId?: string;
  /** Whether the process is unready while the bus has a fault. Default: true. */
  isCritical?: boolean;
  /** Topics whose producers connect at startup, so the first requests don't have to wait. */
  publishes?: readonly TopicName[];
}

const BUS_OPTIONS = Symbol('bus options');

@Global()
@Module({})
export class BusModule implements OnModuleInit {
  constructor(
    private readonly bus: Bus,
    private readonly health: Health,
    @Inject(BUS_OPTIONS) private readonly options: BusModuleOptions,
  ) {}

  static forRoot(options: BusModuleOptions = {}): DynamicModule {
    const { kafka = null, clientId = 'agent-traffic', publishes = [] } = options;
    return {
      module: BusModule,
      providers: [
        { provide: BUS_OPTIONS, useValue: options },
        {
          provide: Bus,
          inject: [LOGGER],
          useFactory: (logger: Logger) =>
            kafka === null
              ? new InProcessBus()
              : new KafkaBus({ kafka, clientId, publishes, logger, onFatal: (error) => exitProcess(error, logger) }),
        },
        {
          provide: PipelineQueue,
          inject: [LOGGER, Bus],
          useFactory: (logger: Logger, bus: Bus) =>
            kafka === null ? new InProcessQueue() : new KafkaQueue({ options: kafka, logger, clientId }, bus),
        },
      ],
      exports: [Bus, PipelineQueue],
    };
  }

  onModuleInit(): void {
    this.health.register('bus', () => this.bus.getFault(), { critical: this.options.isCritical ?? true });
    if (this.options.kafka) this.health.register('topics', () => this.bus.getWarning(), { critical: false });
  }
}

/** Exits the process. Kafka redelivers uncommitted messages to its replacement. */
function exitProcess(error: Error, logger: Logger): void {
  logger.fatal({ err: error }, 'unrecoverable error; exiting');
  logger.flush();
  process.exit(1);
}
