import { AgentTraffic as AnywhereClient } from './client.js';
import type { AgentTrafficOptions } from './options.js';
import { shutDownOnExit, type ShutdownTask } from './process-exit.js';
import type { WaitUntil } from './types.js';

/** Node.js client. Sends visits in batches and flushes the queue before the process exits. */
export class AgentTraffic extends AnywhereClient {
  constructor(options: AgentTrafficOptions = {}) {
    super(options);
    shutDownOnExit(this.toShutdownTask());
  }

  protected override report(json: string | Promise<string | null>, waitUntil?: WaitUntil): void {
    this.queue(json);
    waitUntil?.(this.flush());
  }

  private toShutdownTask(): ShutdownTask {
    const { reporter } = this;
    return {
      get isIdle() {
        return reporter.isIdle;
      },
      shutdown: () => this.shutdown(),
    };
  }
}

export const createNodeClient = (options: AgentTrafficOptions): AgentTraffic => new AgentTraffic(options);
