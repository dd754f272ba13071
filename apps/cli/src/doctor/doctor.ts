import { kafkaOptions } from '#libs/bus';
import { databaseUrl, SecretBox } from '#libs/database';
import { ConfigurationError } from '#libs/platform';
import type { InstanceClient } from '../client.js';
import { checkAddresses, type PathReport } from './addresses.check.js';
import { checkDatabase } from './database.check.js';
import { readDoctorSettings, type DoctorSettings } from './env.js';
import { fault, ok, reasonOf, warning, type Finding } from './finding.js';
import { checkKafka } from './kafka.check.js';
import { checkLists } from './lists.check.js';
import { checkDisk, checkInstance } from './machine.check.js';
import { checkProxies } from './proxies.check.js';

interface DoctorOptions {
  client: Pick<InstanceClient, 'url' | 'get'>;
  /** Called with each finding as soon as it's known. */
  tell(finding: Finding): void;
  source?: NodeJS.ProcessEnv;
}

const RULES = { subject: 'rules', remedy: 'Start the service rules, or look at RULES_URL.' };

/**
 * Checks everything that a deployment depends on, using the deployment's own settings.
 *
 * @returns false if there is any fault. Warnings don't count.
 */
export async function examine({ client, tell, source }: DoctorOptions): Promise<boolean> {
  let isWell = true;
  const report = (findings: readonly Finding[]): void => {
    for (const finding of findings) {
      if (finding.status === 'fault') isWell = false;
      tell(finding);
    }
  };
  const settings = readSettings(source, report);
  if (settings === null) return false;
  const { DATABASE_URL: database, DATABASE_PASSWORD: password } = settings;
  const kafka = kafkaOptions(settings);
  if (database !== undefined) {
    report(await checkDatabase({ url: databaseUrl(database, password), isDistributed: kafka !== null }));
  }
  if (kafka !== null) report(await checkKafka(kafka));
  if (database === undefined) report([await checkDisk(settings.DATA_DIR)]);
  if (settings.RULES_URL !== undefined) report(await checkInstance(settings.RULES_URL, RULES));
  report(await checkInstance(client.url));
  if (client.url.startsWith('https:') && settings.PUBLIC_URL?.startsWith('http:')) report([insecureUrl]);
  if (database === undefined) report(await askSystem(client));
  return isWell;
}

/**
 * Checks an instance with an embedded database through its API. Returns no findings if the request fails, e.g. without
 * an admin key.
 */
async function askSystem(client: DoctorOptions['client']): Promise<Finding[]> {
  try {
    const { processes, catalog, is_public_url_insecure: isInsecure } = await client.get('/api/system');
    return [
      ...checkProxies(processes),
      ...checkLists(catalog.lists),
      ...checkAddresses(await askPaths(client)),
      ...(isInsecure ? [insecureUrl] : []),
    ];
  } catch {
    return [];
  }
}

const insecureUrl = warning(
  'PUBLIC_URL',
  'it is http, but people reach the instance by https',
  'Set PUBLIC_URL to the https address, so that cookies are sent by https only and links lead there.',
);

async function askPaths(client: DoctorOptions['client']): Promise<PathReport[]> {
  const { projects } = await client.get('/api/projects');
  const real = projects.filter(({ is_demo: isDemo }) => !isDemo);
  return Promise.all(
    real.map(async ({ id, name }) => ({
      name,
      path: await client.get('/api/projects/{id}/visitor-path', { params: { path: { id } } }),
    })),
  );
}

function readSettings(
  source: NodeJS.ProcessEnv | undefined,
  report: (findings: readonly Finding[]) => void,
): DoctorSettings | null {
  try {
    const settings = readDoctorSettings(source);
    kafkaOptions(settings);
    if (settings.SECRET_KEY !== undefined) void new SecretBox(settings.SECRET_KEY);
    report([ok('configuration', describe(settings))]);
    return settings;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) {
      report([fault('configuration', reasonOf(error), 'Correct it; docs/configuration.md explains every setting.')]);
      return null;
    }
    const faults = error.message.split('\n').slice(1);
    report(faults.map((text) => fault('configuration', text.trim(), 'docs/configuration.md explains every setting.')));
    return null;
  }
}

function describe({ DATABASE_URL: database, KAFKA_BROKERS: brokers }: DoctorSettings): string {
  return `${database === undefined ? 'embedded database' : 'PostgreSQL of your own'}, ${brokers.length === 0 ? 'services joined in the process' : 'Kafka'}`;
}
