import { Controller } from '@nestjs/common';
import { getDemo, loadDemo, type Demo } from '#libs/contracts';
import { Handle, ProblemError, type RequestOf } from '#libs/platform';
import { DemoRepository } from './demo.repository.js';
import { DemoService } from './demo.service.js';

@Controller()
export class DemoController {
  constructor(
    private readonly demo: DemoRepository,
    private readonly service: DemoService,
  ) {}

  @Handle(getDemo)
  async find(): Promise<Demo> {
    return this.demo.find();
  }

  /** Starts loading the demo data. Responds before loading is complete. */
  @Handle(loadDemo)
  async load({ principal, body, raw }: RequestOf<typeof loadDemo>): Promise<Demo> {
    const isStarted = await this.service.start(body, principal.makerId, raw.context.traceparent);
    if (isStarted) return this.demo.find();
    throw new ProblemError('conflict', 'The demo data is already loaded. Delete the demo project to load it again.');
  }
}
