import { toKafkaOptions } from '#libs/bus';
import { databaseUrl, SecretBox, toReplicaOptions } from '#libs/database';
import { ConfigurationError } from '#libs/platform';
import { toVisitStoreOptions } from '#libs/visit-store';
import type { InstanceClient } from '../client.js';
import { checkAddresses, type PathReport } from './addresses.check.js';
import { checkDatabase } from './database.check.js';
import { readDoctorSettings, type DoctorSettings } from './env.js';
import { fault, ok, getErrorReason, warning, type Finding } from './finding.js';
import { checkKafka } from './kafka.check.js';
import { checkLists } from './address-lists.check.js';
import { checkDisk, checkInstance } from './machine.check.js';
import { checkReplica } from './replica.check.js';
import { checkProxies } from './proxies.check.js';
import { checkStoredVisits } from './visit-store.check.js';

interface DoctorOptions {
  client: Pick<InstanceClient, 'url' | 'get'>;
  /** Called for each finding as soon as it's available. */
  onFinding(finding: Finding): void;
  source?: NodeJS.ProcessEnv;
}

const RULES_SERVICE = { subject: 'rules', remedy: 'Start the rules service, or check RULES_URL.' };

/**
 * Checks a deployment and everything it depends on, using the deployment's own settings.
 *
 * @returns false if there's a fault. Warnings don't affect the result.
 */
export async function runChecks({ client, onFinding: tell, source }: DoctorOptions): Promise<boolean> {
  let isHealthy = true;
  const report = (findings: readonly Finding[]): void => {
    for (const finding of findings) {
      if (finding.status === 'fault') isHealthy = false;
      tell(finding);
    }
  };
  const settings = readSettings(source, report);
  if (settings === null) return false;
  const { DATABASE_URL: database, DATABASE_PASSWORD: password } = settings;
  const kafka = toKafkaOptions(settings);
  if (database !== undefined) {
    const url = databaseUrl(database, password);
    const findings = await checkDatabase({ url, isDistributed: kafka !== null });
    report(findings);
    const replica = toReplicaOptions(settings);
    if (findings.every(({ status }) => status !== 'fault')) {
      if (replica !== null) report([await checkReplica(url, replica)]);
      report(await checkStoredVisits(url, toVisitStoreOptions(settings)));
    }
  }
  if (kafka !== null) report(await checkKafka(kafka));
  if (database === undefined) report([await checkDisk(settings.DATA_DIR)]);
  if (settings.RULES_URL !== undefined) report(await checkInstance(settings.RULES_URL, RULES_SERVICE));
  report(await checkInstance(client.url));
  if (client.url.startsWith('https:') && settings.PUBLIC_URL?.startsWith('http:')) report([insecureUrl]);
  if (database === undefined) report(await checkSystem(client));
  return isHealthy;
}

/**
 * Checks an instance with an embedded database through its API. Returns no findings if a request fails, for example
 * without an admin key.
 */
async function checkSystem(client: DoctorOptions['client']): Promise<Finding[]> {
  try {
    const { processes, catalog, is_public_url_insecure: isInsecure } = await client.get('/api/system');
    return [
      ...checkProxies(processes),
      ...checkLists(catalog.lists),
      ...checkAddresses(await fetchVisitorPaths(client)),
      ...(isInsecure ? [insecureUrl] : []),
    ];
  } catch {
    return [];
  }
}

const insecureUrl = warning(
  'PUBLIC_URL',
  'uses http, but the instance is accessed over https',
  'Set PUBLIC_URL to the https URL, so cookies are only sent over https and links use https.',
);

async function fetchVisitorPaths(client: DoctorOptions['client']): Promise<PathReport[]> {
  const { projects } = await client.get('/api/projects');
  const realProjects = projects.filter(({ is_demo: isDemo }) => !isDemo);
  return Promise.all(
    realProjects.map(async ({ id, name }) => ({
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
    toKafkaOptions(settings);
    toVisitStoreOptions(settings);
    if (settings.SECRET_KEY !== undefined) void new SecretBox(settings.SECRET_KEY);
    report([ok('configuration', describeSettings(settings))]);
    return settings;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) {
      report([
        fault(
          'configuration',
          getErrorReason(error),
          'Correct the setting. docs/configuration.md describes all settings.',
        ),
      ]);
      return null;
    }
    const faults = error.message.split('\n').slice(1);
    report(faults.map((text) => fault('configuration', text.trim(), 'docs/configuration.md describes all settings.')));
    return null;
  }
}

function describeSettings({ DATABASE_URL: database, KAFKA_BROKERS: brokers }: DoctorSettings): string {
  return `${database === undefined ? 'embedded database' : 'external PostgreSQL'}, ${brokers.length === 0 ? 'in-process message bus' : 'Kafka'}`;
}
