import { inStepSpan, type StepSpan } from './batch-tracing.js';
import { busMetrics } from './bus-metrics.js';

/** A step of a pipeline. The batch carries what the steps before have made, and the outcome of every message. */
export interface Step<Batch> {
  name: string;
  /** How traces show it; by its name unless given. */
  span?: StepSpan;
  run(batch: Batch): void | Promise<void>;
}

/** Takes a batch through the steps in order, each timed under its name. What a step throws ends the batch. */
export async function runPipeline<Batch>(name: string, steps: readonly Step<Batch>[], batch: Batch): Promise<void> {
  for (const step of steps) {
    const stop = busMetrics.stepSeconds.startTimer({ pipeline: name, step: step.name });
    await inStepSpan(step.span ?? { name: step.name, kind: 'internal' }, () => step.run(batch));
    stop();
  }
}
