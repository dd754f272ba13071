import { CliError, EXIT } from '../cli-error.js';
import { visible } from '../terminal-text.js';

/** Returns an error with exit code 2 for checks without a result. As with diff(1), exit code 1 is a negative result. */
export function trouble(message: string, hint?: string | undefined, cause?: unknown): CliError {
  return new CliError(visible(message, '\n'), { exitCode: EXIT.usage, cause, ...(hint !== undefined && { hint }) });
}

export async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw trouble(String((error as Error).message), error instanceof CliError ? error.hint : undefined, error);
  }
}
