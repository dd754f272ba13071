import { execFile } from 'node:child_process';
import type { Deployment } from '../kit/deployment.js';
import { ensureCommands, findCommand } from '../stack/packages.ts';
import type { Prometheus } from '../stack/prometheus.ts';

export interface CommandResult {
  /** Exit code. A metrics query exits with 0 if it returns any series, otherwise with 1. */
  code: number;
  output: string;
}

/** Runs commands from the runbook against a local deployment. */
export class RunbookCommands {
  private constructor(
    private readonly deployment: Deployment,
    private readonly prometheus: Prometheus,
  ) {}

  static async create(deployment: Deployment, prometheus: Prometheus): Promise<RunbookCommands> {
    await ensureCommands({ curl: 'curl', 'redis-cli': 'redis-tools' });
    return new RunbookCommands(deployment, prometheus);
  }

  /**
   * Runs a code span from the runbook.
   *
   * @param service Service to query, or Redis user to log in as.
   * @returns The result, or null if the span isn't a command or needs containers, internet access or the kernel log.
   */
  async run(codeSpan: string, service: string): Promise<CommandResult | null> {
    const { deployment } = this;
    const command = codeSpan.replaceAll(/\s+/g, ' ');
    const [, ...words] = command.split(' ');
    if (command === '/readyz')
      return run('curl', ['-sS', `http://127.0.0.1:${deployment.process(service).port}/readyz`]);
    if (command.startsWith('SELECT ')) {
      const url = new URL(deployment.databaseUrl);
      url.searchParams.set('connect_timeout', '5');
      return run(deployment.postgresProgram('psql'), [url.href, '-c', command]);
    }
    if (command.startsWith('redis-cli ')) {
      const password = await deployment.stack.secret('redis-password', service);
      const loginOptions = ['-e', '--user', service, '--pass', password, '--no-auth-warning'];
      return run((await findCommand('redis-cli'))!, [
        ...loginOptions,
        '-p',
        String(deployment.process('redis').port),
        ...words,
      ]);
    }
    if (command.startsWith('agent-traffic dead-letters ')) return this.runCli(await this.replaceId(words));
    if (command.startsWith('agent_traffic_')) {
      const series = await this.prometheus.query(command);
      return { code: series.length > 0 ? 0 : 1, output: '' };
    }
    return null;
  }

  runCli(args: readonly string[]): Promise<CommandResult> {
    return this.deployment.cli(args).then(
      (output) => ({ code: 0, output }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        output: stdout + stderr,
      }),
    );
  }

  /** Replaces `ID` with the ID of an existing dead letter. */
  private async replaceId(words: readonly string[]): Promise<string[]> {
    const { dead_letters: letters } = await this.deployment.client.api<{ dead_letters: { id: string }[] }>(
      '/dead-letters',
    );
    return words.map((word) => (word === 'ID' ? letters[0]!.id : word));
  }
}

const run = (command: string, args: readonly string[]): Promise<CommandResult> =>
  new Promise((resolve) => {
    execFile(command, args, { timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
    );
  });
