/** Runs Debian's Prometheus alongside a stack. It scrapes all of our services' processes and evaluates our alerts. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureCommands, findCommand } from './packages.ts';
import { ServerProcess } from './server-process.ts';
import type { Stack } from './stack.ts';

const SERVICES = ['gateway', 'console', 'enrichment', 'ingest', 'catalog', 'rules'];
const PORT = 19_090;
const RULES_FILE = join(import.meta.dirname, '../../deploy/prometheus/alerts.yml');
const TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 250;

interface PrometheusOptions {
  /** Scrape and evaluation interval in seconds. Default: 15. */
  intervalSeconds?: number;
  rulesFile?: string;
}

interface Sample {
  metric: Record<string, string>;
  value: [time: number, value: string];
}

interface FiringAlert {
  labels: Record<string, string>;
  state: 'pending' | 'firing';
}

interface RuleGroups {
  groups: { rules: { name: string; health: 'unknown' | 'ok' | 'err'; lastError?: string }[] }[];
}

export class Prometheus {
  private readonly process: ServerProcess;

  private constructor(process: ServerProcess) {
    this.process = process;
  }

  static async start(
    stack: Stack,
    { intervalSeconds = 15, rulesFile = RULES_FILE }: PrometheusOptions = {},
  ): Promise<Prometheus> {
    await ensureCommands({ prometheus: 'prometheus' });
    const folder = join(stack.layout.options.data, 'prometheus');
    await mkdir(folder, { recursive: true });
    const configuration = {
      global: {
        scrape_interval: `${intervalSeconds}s`,
        scrape_timeout: `${intervalSeconds}s`,
        evaluation_interval: `${intervalSeconds}s`,
      },
      rule_files: [rulesFile],
      scrape_configs: SERVICES.filter((name) => stack.has(name)).map((name) => ({
        job_name: name,
        static_configs: [{ targets: stack.service(name).map(({ port }) => `127.0.0.1:${port}`) }],
      })),
    };
    const file = join(folder, 'prometheus.json');
    // Prometheus reads YAML, and JSON is valid YAML.
    await writeFile(file, JSON.stringify(configuration));
    const port = PORT + stack.layout.options.portOffset;
    const readyUrl = `http://127.0.0.1:${port}/-/ready`;
    const process = new ServerProcess({
      command: (await findCommand('prometheus'))!,
      args: [
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=warn',
      ],
      port,
      isReady: () =>
        fetch(readyUrl).then(
          ({ ok }) => ok,
          () => false,
        ),
    });
    await process.start();
    return new Prometheus(process);
  }

  get url(): string {
    return `http://127.0.0.1:${this.process.port}`;
  }

  /**
   * Runs an instant query.
   *
   * @throws {Error} with Prometheus' error message if the query fails
   */
  async query(expr: string): Promise<Sample[]> {
    const { result } = await this.get<{ result: Sample[] }>(`query?${new URLSearchParams({ query: expr })}`);
    return result;
  }

  /** Returns the names of all scraped metrics, including those without series. */
  async metricNames(): Promise<Set<string>> {
    return new Set(Object.keys(await this.get<Record<string, unknown>>('metadata')));
  }

  async alerts(): Promise<FiringAlert[]> {
    return (await this.get<{ alerts: FiringAlert[] }>('alerts')).alerts;
  }

  /**
   * Waits until every rule has been evaluated against scraped data.
   *
   * @returns the number of rules
   * @throws {Error} if a rule fails or the wait times out
   */
  async waitForRules(): Promise<number> {
    const deadline = Date.now() + TIMEOUT_MS;
    for (;;) {
      const { groups } = await this.get<RuleGroups>('rules');
      const rules = groups.flatMap(({ rules: groupRules }) => groupRules);
      const failedRule = rules.find(({ health }) => health === 'err');
      if (failedRule !== undefined) throw new Error(`The rule ${failedRule.name} failed: ${failedRule.lastError}`);
      const isScraped = (await this.query('agent_traffic_build_info')).length > 0;
      if (isScraped && rules.length > 0 && rules.every(({ health }) => health === 'ok')) return rules.length;
      if (Date.now() > deadline)
        throw new Error(`Prometheus did not evaluate its rules in time:\n${this.process.output}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  }

  async stop(): Promise<void> {
    await this.process.stop();
  }

  private async get<T>(path: string): Promise<T> {
    const response = await fetch(`${this.url}/api/v1/${path}`);
    const { status, data, error } = (await response.json()) as { status: string; data: T; error?: string };
    if (status !== 'success') throw new Error(`Prometheus: ${error}`);
    return data;
  }
}
