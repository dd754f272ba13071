import type { UsageSignals } from '#libs/contracts';

/** Returns the usage signal lines to include in a robots.txt group. Empty if no signals are set. */
export function usageLines({ content_signal: signal, content_usage: usage }: UsageSignals): string {
  const signals = formatStatements([
    ['search', signal?.search, 'yes', 'no'],
    ['ai-input', signal?.ai_input, 'yes', 'no'],
    ['ai-train', signal?.ai_train, 'yes', 'no'],
    ...(signal?.use === undefined ? [] : [['use', true, signal.use, ''] as const]),
  ]);
  const usages = formatStatements([
    ['train-ai', usage?.train_ai, 'y', 'n'],
    ['ai-use', usage?.ai_use, 'y', 'n'],
    ['search', usage?.search, 'y', 'n'],
  ]);
  return line('Content-Signal', signals) + line('Content-Usage', usages);
}

/** Returns the license line, which applies to the entire file. Empty if no license is set. */
export const licenseLine = ({ license }: UsageSignals): string => line('License', license ?? '');

const line = (name: string, value: string): string => (value === '' ? '' : `${name}: ${value}\n`);

type Statement = readonly [name: string, isAllowed: boolean | undefined, yes: string, no: string];

const formatStatements = (statements: readonly Statement[]): string =>
  statements
    .flatMap(([name, isAllowed, yes, no]) => (isAllowed === undefined ? [] : `${name}=${isAllowed ? yes : no}`))
    .join(', ');
