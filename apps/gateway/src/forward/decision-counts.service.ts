import { Inject, Injectable } from '@nestjs/common';
import { BufferedWriter, CLOCK, LOGGER, type Clock, type Logger } from '#libs/platform';
import type { RecordedDecision } from '#libs/policy';
import { Counter } from 'prom-client';
import { DecisionCountsRepository, type DecisionCount } from './decision-counts.repository.js';

const uncounted = new Counter({
  name: 'agent_traffic_gateway_uncounted_decisions_total',
  help: 'Policy decisions missing in the counts by rule because the database was unavailable',
});

const HOUR_MS = 3_600_000;
const WRITE_INTERVAL_MS = 3_000;
/** Maximum number of buffered counts. While the database is down, decisions that would need another one aren't counted. */
const MAX_COUNTS = 20_000;

/** Counts decisions by rule and hour, and adds the counts to the stored ones every few seconds. */
@Injectable()
export class DecisionCountsService extends BufferedWriter<DecisionCount> {
  constructor(
    private readonly repository: DecisionCountsRepository,
    @Inject(LOGGER) logger: Logger,
    @Inject(CLOCK) private readonly now: Clock,
  ) {
    super(logger, 'could not save the counts of policy decisions', WRITE_INTERVAL_MS);
  }

  record(projectId: string, decisions: readonly RecordedDecision[]): void {
    const at = this.now();
    const hour = new Date(at - (at % HOUR_MS)).toISOString();
    for (const decision of decisions) this.add({ ...decision, projectId, hour, decisions: 1 });
  }

  protected write(counts: ReadonlyMap<string, DecisionCount>): Promise<void> {
    return this.repository.add([...counts.values()]);
  }

  protected override onLoss(counts: ReadonlyMap<string, DecisionCount>): void {
    for (const count of counts.values()) this.add(count);
  }

  private add(count: DecisionCount): void {
    const key = `${count.projectId} ${count.ruleId} ${count.hour} ${count.mode} ${count.outcome}`;
    const buffered = this.buffered.get(key);
    if (buffered !== undefined) buffered.decisions += count.decisions;
    else if (this.buffered.size < MAX_COUNTS) this.buffered.set(key, count);
    else uncounted.inc(count.decisions);
  }
}
