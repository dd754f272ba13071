/**
 * Runs docker-compose.yml on the host, without Docker. Each service is a separate process. Kafka comes from Maven.
 * Redis, PostgreSQL, and nginx are Debian packages.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, parseEnv, styleText } from 'node:util';
import { LogPrinter } from './log-printer.ts';
import { Prometheus } from './prometheus.ts';
import { Stack, type StackOptions } from './stack.ts';

const USAGE = `npm run stack -- [--only kafka,redis] [--scale enrichment=2]… [--kafka-brokers 3]
                 [--env TEST_VISIT_ALLOW_PRIVATE=true]… [--data FOLDER] [--port-offset N] [--monitoring] [--quiet]`;

const REFERENCE = parseEnv(readFileSync(join(import.meta.dirname, '../../deploy/reference.env'), 'utf8'));

/** A terminal may deliver a signal twice, so signals that are repeated within this time are treated as one. */
const DUPLICATE_SIGNAL_MS = 500;
let shutdownStartedAt = 0;
const printer = new LogPrinter(process.stdout);
const shutdownController = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, shutDown);

try {
  const { quiet, monitoring, ...options } = readOptions();
  const stack = await Stack.start({
    ...options,
    signal: shutdownController.signal,
    onProgress: (line) => process.stdout.write(`${styleText('bold', line)}\n`),
    ...(!quiet && { onOutput: (name: string, text: string) => printer.print(name, text) }),
  });
  const prometheus = monitoring ? await Prometheus.start(stack) : null;
  process.stdout.write(await createSummary(stack));
  if (prometheus !== null) {
    const rules = await prometheus.waitForRules();
    process.stdout.write(`  Prometheus   ${prometheus.url} (${rules} alerts, all evaluated successfully)\n\n`);
  }
  if (!shutdownController.signal.aborted) await once(shutdownController.signal, 'abort');
  await prometheus?.stop();
  await stack.stop();
} catch (error) {
  if (!shutdownController.signal.aborted) {
    process.stderr.write(`\n${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
process.exit();

/** Shuts down in order on the first signal. Exits immediately on the second. */
function shutDown(): void {
  if (shutdownController.signal.aborted && Date.now() - shutdownStartedAt > DUPLICATE_SIGNAL_MS) process.exit(1);
  if (!shutdownController.signal.aborted) shutdownStartedAt = Date.now();
  shutdownController.abort();
}

function readOptions(): StackOptions & { quiet: boolean; monitoring: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string' },
        scale: { type: 'string', multiple: true, default: [] },
        'kafka-brokers': { type: 'string', default: '1' },
        env: { type: 'string', multiple: true, default: [] },
        data: { type: 'string' },
        'port-offset': { type: 'string', default: '0' },
        monitoring: { type: 'boolean', default: false },
        quiet: { type: 'boolean', default: false },
      },
    });
    return {
      quiet: values.quiet,
      monitoring: values.monitoring,
      ...(values.only !== undefined && { only: values.only.split(',') }),
      ...(values.data !== undefined && { data: values.data }),
      scale: Object.fromEntries(values.scale.map(readScale)),
      env: Object.fromEntries(values.env.map(readSetting)),
      kafkaBrokers: parseNumber(values['kafka-brokers'], '--kafka-brokers'),
      portOffset: parseNumber(values['port-offset'], '--port-offset'),
    };
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${USAGE}`, { cause: error });
  }
}

function parseNumber(text: string, option: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new Error(`${option} must be a number (got "${text}")`);
  return Number(text);
}

function readScale(text: string): [string, number] {
  const match = /^([a-z]+)=([1-9])$/.exec(text);
  if (match === null) throw new Error(`--scale must look like enrichment=2 (got "${text}")`);
  return [match[1]!, Number(match[2])];
}

/** Parses a setting that is passed to all of our services. Services ignore settings they don't use. */
function readSetting(text: string): [string, string] {
  const [, name = '', value = ''] = /^([A-Z\d_]+)=(.*)$/s.exec(text) ?? [];
  if (!(name.replace(/_FILE$/, '') in REFERENCE || name in REFERENCE))
    throw new Error(`--env must be NAME=VALUE with the name of an existing setting (got "${text}")`);
  return [name, value];
}

async function createSummary(running: Stack): Promise<string> {
  const line = (name: string, text: string): string => `  ${name.padEnd(12)} ${text}\n`;
  let text = `\n${styleText('green', 'The stack is running.')} Press Ctrl-C to stop it.\n\n`;
  for (const name of ['edge', 'gateway', 'console', 'enrichment', 'ingest', 'catalog', 'rules']) {
    if (running.has(name)) text += line(name, running.url(name));
  }
  if (running.has('kafka')) {
    const { brokers, sasl } = await running.kafkaClient('consumer');
    text += line('Kafka', `${brokers.join(', ')} (SASL/PLAIN: ${sasl.username}, ${sasl.password})`);
  }
  if (running.has('redis')) text += line('Redis', running.url('redis').replace('http', 'redis'));
  if (running.has('postgres')) text += line('PostgreSQL', await running.databaseUrl());
  if (!running.has('edge')) return `${text}\n`;
  const token = await running.secret('access-token');
  return `${text}
Send a visit:
  curl -i ${running.url('edge')}/visits -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '{"request_path":"/","request_method":"GET","request_headers":{"user-agent":"Googlebot/2.1"}}'
Watch visits arrive:
  AGENT_TRAFFIC_URL=${running.url('edge')} AGENT_TRAFFIC_API_KEY=${await running.secret('api-key')} ./agent-traffic visits tail

`;
}
