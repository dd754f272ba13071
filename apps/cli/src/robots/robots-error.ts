import { CliError, EXIT } from '../cli-error.js';
import { escapeInvisible } from '../terminal-text.js';

/** Returns an error with exit code 2. As with diff(1), exit code 1 is reserved for a negative result. */
export function robotsError(message: string, hint?: string | undefined, cause?: unknown): CliError {
  return new CliError(escapeInvisible(message, '\n'), {
    exitCode: EXIT.usage,
    cause,
    ...(hint !== undefined && { hint }),
  });
}

/** Rethrows any error with exit code 2. */
export async function rethrowAsRobotsError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw robotsError(String((error as Error).message), error instanceof CliError ? error.hint : undefined, error);
  }
}
