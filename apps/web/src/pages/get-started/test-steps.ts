import type { TestVisit } from '../../api/client.js';
import { durationText } from '../../format/duration.js';

type Outcome = NonNullable<TestVisit['outcome']>;

/** `open`: not started. */
export type StepState = 'done' | 'running' | 'failed' | 'open';

interface Step {
  name: string;
  state: StepState;
}

/** Number of steps: sent, answered, reported and verified. */
const STEPS = 4;
/** Index of the failed step, for outcomes where the progress doesn't show it. */
const FAILS_AT: Partial<Record<Outcome, number>> = { timed_out: 1, redirected_away: 1, too_many_redirects: 1 };
const NOT_REPORTED: Partial<Record<Outcome, string>> = {
  not_reported: 'Nothing was reported',
  report_refused: 'The report was refused',
  reported_elsewhere: 'Reported to another project',
};

export function stepsOf({ stage, outcome, answer, report }: TestVisit): Step[] {
  const isVerified = report?.result === 'verified';
  const through = isVerified ? STEPS : report !== null ? 3 : answer !== null ? 2 : 0;
  // First incomplete step. It is running, or failed if the test is finished.
  const at = (outcome !== null && FAILS_AT[outcome]) || through;
  const names = [
    at === 0 && stage === 'finished' ? 'The request could not be sent' : 'Request sent',
    answer === null
      ? outcome === 'timed_out'
        ? 'The site did not answer'
        : 'The site answers'
      : `The site answered ${answer.status} in ${durationText(answer.milliseconds)}`,
    report === null
      ? (NOT_REPORTED[outcome ?? 'arrived'] ?? 'The site reports the visit')
      : `Reported after ${durationText(report.milliseconds)}`,
    report === null || isVerified ? 'Identified and verified' : 'Identified, but not verified',
  ];
  return names.map((name, index) => {
    if (index < at) return { name, state: 'done' };
    if (index > at) return { name, state: 'open' };
    return { name, state: stage === 'finished' ? 'failed' : 'running' };
  });
}
