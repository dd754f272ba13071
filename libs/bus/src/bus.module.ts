import { type DynamicModule, Global, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { Health } from '#libs/platform';
import { Bus } from './bus.js';
import { InProcessBus } from './in-process-bus.js';

/** Binds {@link Bus} to one of its implementations. */
@Global()
@Module({})
export class BusModule implements OnModuleInit {
  constructor(
    @Inject(Bus) private readonly bus: Bus,
    @Inject(Health) private readonly health: Health,
  ) {}

  static forRoot(): DynamicModule {
    return {
      module: BusModule,
      providers: [{ provide: Bus, useFactory: () => new InProcessBus() }],
      exports: [Bus],
    };
  }

  onModuleInit(): void {
    this.health.register('bus', () => this.bus.fault());
  }
}
