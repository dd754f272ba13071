import { withStepSpan, type StepSpan } from './batch-tracing.js';
import { busMetrics } from './bus-metrics.js';

/** Pipeline step. The batch contains the results of earlier steps and each message's outcome. */
export interface Step<Batch> {
  name: string;
  /** Trace span. Default: an internal span with the step's name. */
  span?: StepSpan;
  run(batch: Batch): void | Promise<void>;
}

/** Runs a batch through the steps in order and measures each step. If a step fails, skips the remaining ones. */
export async function runPipeline<Batch>(name: string, steps: readonly Step<Batch>[], batch: Batch): Promise<void> {
  for (const step of steps) {
    const stopTimer = busMetrics.stepSeconds.startTimer({ pipeline: name, step: step.name });
    await withStepSpan(step.span ?? { name: step.name, kind: 'internal' }, () => step.run(batch));
    stopTimer();
  }
}
