import type { TestVisit } from '../../api/client.js';
import { formatDuration } from '../../format/duration.js';

type Outcome = NonNullable<TestVisit['outcome']>;

/** State of a step. `open` means it hasn't started. */
export type StepState = 'done' | 'running' | 'failed' | 'open';

interface Step {
  name: string;
  state: StepState;
}

/** Number of steps: request, response, report and verification. */
const STEP_COUNT = 4;
/**
 * Index of the failed step by outcome. Only needed for outcomes where the failed step isn't the first one without a
 * result.
 */
const FAILED_STEPS: Partial<Record<Outcome, number>> = { timed_out: 1, redirected_away: 1, too_many_redirects: 1 };
const NOT_REPORTED_NAMES: Partial<Record<Outcome, string>> = {
  not_reported: "The visit wasn't reported",
  report_refused: 'The report was rejected',
  reported_elsewhere: 'Reported to another project',
};

export function getSteps({ stage, outcome, answer, report }: TestVisit): Step[] {
  const isVerified = report?.result === 'verified';
  const completedSteps = isVerified ? STEP_COUNT : report !== null ? 3 : answer !== null ? 2 : 0;
  // Index of the first step that isn't complete. If the test is finished, this step has failed. Otherwise, it's
  // running.
  const currentStep = (outcome !== null && FAILED_STEPS[outcome]) || completedSteps;
  const names = [
    currentStep === 0 && stage === 'finished' ? "The request couldn't be sent" : 'Request sent',
    answer === null
      ? outcome === 'timed_out'
        ? "The site didn't respond"
        : 'The site responds'
      : `The site responded with ${answer.status} in ${formatDuration(answer.milliseconds)}`,
    report === null
      ? (NOT_REPORTED_NAMES[outcome ?? 'arrived'] ?? 'The site reports the visit')
      : `Reported after ${formatDuration(report.milliseconds)}`,
    report === null || isVerified ? 'Identified and verified' : 'Identified, but not verified',
  ];
  return names.map((name, index) => {
    if (index < currentStep) return { name, state: 'done' };
    if (index > currentStep) return { name, state: 'open' };
    return { name, state: stage === 'finished' ? 'failed' : 'running' };
  });
}
