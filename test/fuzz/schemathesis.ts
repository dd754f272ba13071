import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePython } from '../stack/python.ts';
import type { Fixture } from './fixture.ts';

const PROGRAM = 'import sys; from schemathesis.cli import schemathesis; sys.exit(schemathesis())';

interface FuzzOptions {
  /** OpenAPI document that lists each operation's callers in `x-callers`. */
  document: object;
  url: string;
  /** True to also send generated credentials. */
  generatesCredentials: boolean;
  fixture: Fixture;
  seconds: number;
  seed: string;
}

interface FuzzResult {
  /** Number of operations whose responses all match the document. */
  passed: number;
  failed: number;
  requests: number;
  output: string;
}

interface Report {
  operations: { tested: number };
  test_cases: { generated: number };
  failures: { operations: string[] }[];
  errors: unknown[];
}

/** Path to the Python interpreter, shared by all runs. */
let python: Promise<string> | undefined;

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  python ??= ensurePython(join(import.meta.dirname, 'requirements.txt'));
  const program = await python;
  const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-fuzz-'));
  try {
    const [document, report] = [join(folder, 'document.json'), join(folder, 'report.json')];
    await writeFile(document, JSON.stringify(options.document));
    const child = spawn(program, ['-c', PROGRAM, ...toArguments(options), document, '--report-json-path', report], {
      // schemathesis writes reports and caches into its working directory.
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        PYTHONPATH: import.meta.dirname,
        PYTHONDONTWRITEBYTECODE: '1',
        SCHEMATHESIS_HOOKS: 'hooks',
        FUZZ_PARAMETERS: JSON.stringify(options.fixture.parameters),
        FUZZ_CALLERS: JSON.stringify(options.fixture.callers),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'close');
    return await readFile(report, 'utf8').then(
      (text) => toResult(JSON.parse(text) as Report, output),
      () => ({ passed: 0, failed: 1, requests: 0, output }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function toArguments({ url, generatesCredentials, seconds, seed }: FuzzOptions): string[] {
  const config = ['--config-file', join(import.meta.dirname, 'schemathesis.toml')];
  const time = ['--max-time', `${seconds}`, '--seed', seed];
  const credentials = ['--generation-with-security-parameters', `${generatesCredentials}`];
  return [...config, 'run', '--url', url, '--no-color', '--report', 'json', ...time, ...credentials];
}

function toResult({ operations, test_cases: cases, failures, errors }: Report, output: string): FuzzResult {
  const failed = new Set(failures.flatMap((failure) => failure.operations)).size;
  return {
    passed: operations.tested - failed,
    // An error means that schemathesis couldn't test an operation, so count it as a failure.
    failed: failed + errors.length + (operations.tested === 0 && errors.length === 0 ? 1 : 0),
    requests: cases.generated,
    output,
  };
}
