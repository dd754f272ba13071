import { AgentTraffic as AnywhereClient } from './client.js';
import type { AgentTrafficOptions } from './options.js';
import { endWithProcess, type Ending } from './process-end.js';
import type { WaitUntil } from './types.js';

/** Client for Node.js: sends visits in batches, and sends the last ones before the process exits. */
export class AgentTraffic extends AnywhereClient {
  constructor(options: AgentTrafficOptions = {}) {
    super(options);
    endWithProcess(this.ending());
  }

  protected override report(json: string | Promise<string | null>, waitUntil?: WaitUntil): void {
    this.queue(json);
    waitUntil?.(this.flush());
  }

  private ending(): Ending {
    const { reporter } = this;
    return {
      get isIdle() {
        return reporter.isIdle;
      },
      shutdown: () => this.shutdown(),
    };
  }
}

export const makeNodeClient = (options: AgentTrafficOptions): AgentTraffic => new AgentTraffic(options);
