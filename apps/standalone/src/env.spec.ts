import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readSettings } from './env.js';

const deploy = join(import.meta.dirname, '../../../deploy');
const read = (name: string) => parseEnv(readFileSync(join(deploy, name), 'utf8'));

/** Settings that standalone mode doesn't use. */
const SERVICES_ONLY = ['CATALOG_URL', 'RULES_URL', 'INTERNAL_API_SECRET', 'KAFKA_ACLS'];

describe('settings', () => {
  it('uses the defaults listed in reference.env', () => {
    const minimal = readSettings(read('minimal.env'));
    expect(readSettings(read('reference.env'))).toEqual(minimal);
    expect(minimal).toMatchObject({ PORT: 3000, HOST: '127.0.0.1', DATA_DIR: './data', kafka: null });
  });

  it('derives the public URL from the port', () => {
    expect(readSettings({ PORT: '8080' }).PUBLIC_URL).toBe('http://127.0.0.1:8080');
    expect(readSettings({ PORT: '8080', PUBLIC_URL: 'https://visits.example' }).PUBLIC_URL).toBe(
      'https://visits.example',
    );
  });

  it('documents every setting in reference.env and configuration.md', () => {
    const page = readFileSync(join(deploy, '../docs/configuration.md'), 'utf8');
    const names = Object.keys(read('reference.env'));
    const documented = [...page.matchAll(/^\| `([A-Z\d_]+)` /gm)].map(([, name]) => name);
    expect(documented.toSorted()).toEqual([...names, ...SERVICES_ONLY].toSorted());
    // No setting accepts this value, so an error proves that the setting is read.
    const faults = (): unknown =>
      readSettings(Object.fromEntries(names.filter((name) => name !== 'DATA_DIR').map((name) => [name, '\u0000 x'])));
    for (const name of ['PORT', 'HOST', 'SECRET_KEY', 'API_KEY', 'RETENTION_DAYS', 'LOG_LEVEL', 'LOG_FORMAT']) {
      expect(faults).toThrow(name);
    }
  });

  it('adds data center lists to the bundled ones', () => {
    const lists = (text?: string) =>
      readSettings({ ...(text !== undefined && { DATA_CENTER_LISTS: text }) }).dataCenterLists;
    const customLists = ['https://a.example/', 'https://b.example/list.csv'].map((url) => ({ url, format: 'unknown' }));
    expect(lists('https://a.example, https://b.example/list.csv')).toEqual([...lists(), ...customLists]);
    expect(() => lists('http://a.example/')).toThrow(
      'DATA_CENTER_LISTS must contain only https URLs (got http://a.example/)',
    );
  });

  it('requires a valid combination of Kafka settings', () => {
    const kafka = { KAFKA_BROKERS: 'one:9092, two:9092', KAFKA_TLS: 'true' };
    expect(readSettings(kafka).kafka).toEqual({
      brokers: ['one:9092', 'two:9092'],
      tls: { ca: undefined, cert: undefined, key: undefined },
      sasl: null,
      compression: 'none',
      topics: { create: true, partitions: 12, replicationFactor: 3, minInsyncReplicas: 2 },
    });
    const wrong = {
      KAFKA_BROKERS: 'http://one',
      KAFKA_TLS_CERT: 'x',
      KAFKA_REPLICATION_FACTOR: '1',
      KAFKA_SASL_MECHANISM: 'plain',
    };
    const read = (): unknown => readSettings(wrong);
    for (const fault of [
      /KAFKA_BROKERS must be a list of host:port addresses \(got "http:..one"\)/,
      /KAFKA_TLS_KEY/,
      /KAFKA_MIN_INSYNC/,
      /KAFKA_SASL_PASSWORD: is required/,
    ]) {
      expect(read).toThrow(fault);
    }
  });
});
