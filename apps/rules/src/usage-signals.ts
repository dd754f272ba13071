import type { UsageSignals } from '#libs/contracts';

/** Returns the lines of a group that state how content may be used. Empty if nothing is stated. */
export function usageLines({ content_signal: signal, content_usage: usage }: UsageSignals): string {
  const signals = said([
    ['search', signal?.search, 'yes', 'no'],
    ['ai-input', signal?.ai_input, 'yes', 'no'],
    ['ai-train', signal?.ai_train, 'yes', 'no'],
  ]);
  const usages = said([
    ['train-ai', usage?.train_ai, 'y', 'n'],
    ['search', usage?.search, 'y', 'n'],
  ]);
  return line('Content-Signal', signals) + line('Content-Usage', usages);
}

/** Returns the line with the URL of the license. It belongs to no group. */
export const licenseLine = ({ license }: UsageSignals): string => line('License', license ?? '');

const line = (name: string, value: string): string => (value === '' ? '' : `${name}: ${value}\n`);

type Statement = readonly [name: string, isAllowed: boolean | undefined, yes: string, no: string];

const said = (statements: readonly Statement[]): string =>
  statements
    .flatMap(([name, isAllowed, yes, no]) => (isAllowed === undefined ? [] : `${name}=${isAllowed ? yes : no}`))
    .join(', ');
