import { execFile } from 'node:child_process';
import type { Deployment } from '../kit/deployment.js';
import { ensureCommands, findCommand } from '../stack/packages.ts';
import type { Prometheus } from '../stack/prometheus.ts';

export interface Ended {
  /** Exit code. For a metrics query: 0 if it returns any series, otherwise 1. */
  code: number;
  output: string;
}

/** Runs commands from the runbook against a deployment on this machine. */
export class RunBookCommands {
  private constructor(
    private readonly deployment: Deployment,
    private readonly prometheus: Prometheus,
  ) {}

  static async on(deployment: Deployment, prometheus: Prometheus): Promise<RunBookCommands> {
    await ensureCommands({ curl: 'curl', 'redis-cli': 'redis-tools' });
    return new RunBookCommands(deployment, prometheus);
  }

  /**
   * Runs the text between two backticks.
   *
   * @param service the service to query, or the Redis user to log in as
   * @returns null if the text is not a command, or needs containers, internet access or the kernel log
   */
  async run(span: string, service: string): Promise<Ended | null> {
    const { deployment } = this;
    const command = span.replaceAll(/\s+/g, ' ');
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
      const as = ['-e', '--user', service, '--pass', password, '--no-auth-warning'];
      return run((await findCommand('redis-cli'))!, [...as, '-p', String(deployment.process('redis').port), ...words]);
    }
    if (command.startsWith('agent-traffic dead-letters ')) return this.cli(await this.withId(words));
    if (command.startsWith('agent_traffic_')) {
      const series = await this.prometheus.query(command);
      return { code: series.length > 0 ? 0 : 1, output: '' };
    }
    return null;
  }

  cli(args: readonly string[]): Promise<Ended> {
    return this.deployment.cli(args).then(
      (output) => ({ code: 0, output }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        output: stdout + stderr,
      }),
    );
  }

  /** Replaces `ID` with the ID of an existing dead letter. */
  private async withId(words: readonly string[]): Promise<string[]> {
    const { dead_letters: letters } = await this.deployment.client.api<{ dead_letters: { id: string }[] }>(
      '/dead-letters',
    );
    return words.map((word) => (word === 'ID' ? letters[0]!.id : word));
  }
}

const run = (command: string, args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(command, args, { timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
    );
  });
