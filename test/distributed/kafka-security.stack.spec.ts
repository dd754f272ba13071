import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { inspectKafka, KafkaBus, toKafkaOptions } from '#libs/bus';
import { readSettings } from '../../apps/gateway/src/env.js';
import { freePort, temporaryFolder } from '../kit/instance.js';
import { KafkaCluster } from '../kit/kafka.js';
import { ensureCommands } from '../stack/packages.ts';

const run = promisify(execFile);

let folder: string;
let cluster: KafkaCluster;
let tokens: Server;
let ca: string;
let ports: { client: number; mutual: number };
const grants: string[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  await makeCertificates();
  ports = { client: await freePort(), mutual: await freePort() };
  const jaas = (module: string, users: string): string =>
    `org.apache.kafka.common.security.${module} required ${users};`;
  const server = `${await readFile(join(folder, 'server.key'), 'utf8')}${await readFile(join(folder, 'server.crt'), 'utf8')}`;
  await writeFile(join(folder, 'server.pem'), server);
  cluster = await KafkaCluster.start({
    listeners: {
      CLIENT: { protocol: 'SASL_SSL', port: ports.client },
      MUTUAL: { protocol: 'SSL', port: ports.mutual },
    },
    scramUser: { name: 'scrammer', password: 'scram-password' },
    settings: {
      'ssl.keystore.type': 'PEM',
      'ssl.keystore.location': join(folder, 'server.pem'),
      'ssl.truststore.type': 'PEM',
      'ssl.truststore.location': join(folder, 'ca.crt'),
      'listener.name.mutual.ssl.client.auth': 'required',
      'listener.name.client.sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-512,SCRAM-SHA-256,OAUTHBEARER',
      'listener.name.client.plain.sasl.jaas.config': jaas('plain.PlainLoginModule', 'user_plainer="plain-password"'),
      'listener.name.client.scram-sha-512.sasl.jaas.config': jaas('scram.ScramLoginModule', ''),
      'listener.name.client.scram-sha-256.sasl.jaas.config': jaas('scram.ScramLoginModule', ''),
      'listener.name.client.oauthbearer.sasl.jaas.config': jaas(
        'oauthbearer.OAuthBearerLoginModule',
        'unsecuredLoginStringClaim_sub="broker"',
      ),
    },
  });
  tokens = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      grants.push(`${request.headers.authorization} ${body}`);
      response.end(JSON.stringify({ access_token: unsecuredToken('oauth-user') }));
    });
  });
  await new Promise<void>((resolve) => tokens.listen(0, '127.0.0.1', resolve));
  ca = await readFile(join(folder, 'ca.crt'), 'utf8');
}, 120_000);
afterAll(async () => {
  tokens?.close();
  await cluster?.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function makeCertificates(): Promise<void> {
  await ensureCommands({ openssl: 'openssl' });
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  await openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
    '-days',
    '2',
    '-subj',
    '/CN=test authority',
  );
  await writeFile(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost');
  for (const name of ['server', 'client']) {
    await openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
    await openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-out', `${name}.crt`);
  }
}

/** Returns an unsigned JSON Web Token, which a broker without a custom validator accepts. */
function unsecuredToken(subject: string): string {
  const now = Math.floor(Date.now() / 1_000);
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ sub: subject, iat: now - 5, exp: now + 600 })}.`;
}

/** Publishes a message and inspects the cluster with a service's settings. */
async function publishWith(settings: Record<string, string>): Promise<void> {
  const { kafka } = readSettings({
    DATABASE_URL: 'postgres://localhost/none',
    CATALOG_URL: 'http://localhost:9',
    RULES_URL: 'http://localhost:9',
    INTERNAL_API_SECRET: 'nobody-is-asked-by-this-one',
    KAFKA_TLS: 'true',
    KAFKA_TLS_CA: ca,
    KAFKA_BROKERS: `127.0.0.1:${ports.client}`,
    KAFKA_REPLICATION_FACTOR: '1',
    KAFKA_MIN_INSYNC_REPLICAS: '1',
    ...settings,
  });
  const logger = pino({ level: 'silent' });
  const fatal: Error[] = [];
  const bus = new KafkaBus({ kafka, clientId: 'test', logger, onFatal: (error) => fatal.push(error) });
  try {
    await bus.start();
    expect(bus.getFault()).toBeNull();
    await bus.publishEncoded([{ topic: 'visits.received.v1', key: 'key', value: Buffer.from('{}'), headers: {} }]);
    expect((await inspectKafka(kafka, logger)).brokers).toHaveLength(1);
  } finally {
    await bus.close();
  }
  expect(fatal).toEqual([]);
}

it.each([
  ['plain', 'plainer', 'plain-password'],
  ['scram-sha-512', 'scrammer', 'scram-password'],
  ['scram-sha-256', 'scrammer', 'scram-password'],
])('logs in with %s over TLS', async (mechanism, username, password) => {
  const settings = {
    KAFKA_SASL_MECHANISM: mechanism,
    KAFKA_SASL_USERNAME: username,
    KAFKA_SASL_PASSWORD: password,
  };
  await expect(publishWith(settings)).resolves.toBeUndefined();
});

it('logs in with oauthbearer, using tokens from a provider', async () => {
  await publishWith({
    KAFKA_SASL_MECHANISM: 'oauthbearer',
    KAFKA_OAUTH_TOKEN_URL: `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`,
    KAFKA_OAUTH_CLIENT_ID: 'client',
    KAFKA_OAUTH_CLIENT_SECRET: 'secret',
    KAFKA_OAUTH_SCOPE: 'kafka',
  });
  expect(grants[0]).toBe(
    `Basic ${Buffer.from('client:secret').toString('base64')} grant_type=client_credentials&scope=kafka`,
  );
});

it('presents a client certificate to the broker', async () => {
  const settings = {
    KAFKA_BROKERS: `127.0.0.1:${ports.mutual}`,
    KAFKA_TLS_CERT: await readFile(join(folder, 'client.crt'), 'utf8'),
    KAFKA_TLS_KEY: await readFile(join(folder, 'client.key'), 'utf8'),
  };
  await expect(publishWith(settings)).resolves.toBeUndefined();
});

it('fails immediately if the password is rejected', async () => {
  const wrong = {
    KAFKA_SASL_MECHANISM: 'plain',
    KAFKA_SASL_USERNAME: 'plainer',
    KAFKA_SASL_PASSWORD: 'wrong-password',
  };
  await expect(publishWith(wrong)).rejects.toThrow(/[Aa]uthentication failed/);
});

it('rejects a broker certificate from an unknown authority', async () => {
  const kafka = toKafkaOptions({ KAFKA_BROKERS: [`127.0.0.1:${ports.client}`], KAFKA_TLS: true })!;
  await expect(inspectKafka(kafka, pino({ level: 'silent' }))).rejects.toThrow(/certificate/);
});
