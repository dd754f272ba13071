import { inStepSpan, type StepSpan } from './batch-tracing.js';
import { busMetrics } from './bus-metrics.js';

/** Pipeline step. The batch carries the results of earlier steps and the outcome of every message. */
export interface Step<Batch> {
  name: string;
  /** Span in traces. Default: an internal span with the name of the step. */
  span?: StepSpan;
  run(batch: Batch): void | Promise<void>;
}

/** Runs the steps on a batch in order and measures each. If a step fails, the remaining steps are skipped. */
export async function runPipeline<Batch>(name: string, steps: readonly Step<Batch>[], batch: Batch): Promise<void> {
  for (const step of steps) {
    const stop = busMetrics.stepSeconds.startTimer({ pipeline: name, step: step.name });
    await inStepSpan(step.span ?? { name: step.name, kind: 'internal' }, () => step.run(batch));
    stop();
  }
}
