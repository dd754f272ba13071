import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ensurePython } from '../stack/python.js';

interface StatementResult {
  rows?: Record<string, unknown>[];
  error?: string;
}

/** Runs statements in an embedded ClickHouse and returns the result of each. */
export async function runInClickHouse(statements: string[]): Promise<StatementResult[]> {
  const python = await ensurePython(join(import.meta.dirname, 'requirements.txt'));
  const child = spawn(python, [join(import.meta.dirname, 'statements.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.end(JSON.stringify(statements));
  await once(child, 'close');
  return JSON.parse(output) as StatementResult[];
}
