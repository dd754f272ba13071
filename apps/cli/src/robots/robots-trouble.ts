import { CliError, EXIT } from '../cli-error.js';
import { visible } from '../terminal-text.js';

/** It can't be told, which is neither yes nor no: as with diff(1), 1 is an answer and 2 is none. */
export function trouble(message: string, hint?: string | undefined, cause?: unknown): CliError {
  return new CliError(visible(message, '\n'), { exitCode: EXIT.usage, cause, ...(hint !== undefined && { hint }) });
}

/** Makes what goes wrong on the way to an answer {@link trouble}. */
export async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw trouble(String((error as Error).message), error instanceof CliError ? error.hint : undefined, error);
  }
}
