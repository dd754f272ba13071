import type { ToolsReport } from '../../api/tools.js';

type CallError = ToolsReport['errors'][number];

const JSON_RPC_ERROR_NAMES: Record<number, string> = {
  [-32_700]: 'Parse error',
  [-32_600]: 'Invalid request',
  [-32_601]: 'Method not found',
  [-32_602]: 'Invalid params',
  [-32_603]: 'Internal error',
  [-32_002]: 'Resource not found',
  [-32_000]: 'Server error',
  // Names in MCP 2026-07-28.
  [-32_020]: 'Header mismatch',
  [-32_021]: 'Missing required client capability',
  [-32_022]: 'Unsupported protocol version',
};

export function errorText({ fault, code }: Pick<CallError, 'fault' | 'code'>): string {
  if (fault === 'tool') return 'Tool returned an error';
  if (fault === 'http') return `HTTP ${code}`;
  const name = JSON_RPC_ERROR_NAMES[code!];
  return name === undefined ? String(code) : `${code} ${name}`;
}

/** Returns the most frequent error of each tool. */
export function findMainErrors(errors: readonly CallError[]): ReadonlyMap<string, CallError> {
  const mainErrors = new Map<string, CallError>();
  for (const error of errors) {
    if (error.method === 'tools/call' && error.calls > (mainErrors.get(error.tool)?.calls ?? 0)) {
      mainErrors.set(error.tool, error);
    }
  }
  return mainErrors;
}

/** Returns the most frequent error of all tool calls, or null if there is none. */
export function findMainError(errors: readonly CallError[]): { text: string; calls: number } | null {
  const groups = Map.groupBy(
    errors.filter(({ method }) => method === 'tools/call'),
    errorText,
  );
  const counts = [...groups].map(([text, rows]) => ({ text, calls: rows.reduce((sum, { calls }) => sum + calls, 0) }));
  return counts.toSorted((one, other) => other.calls - one.calls)[0] ?? null;
}
